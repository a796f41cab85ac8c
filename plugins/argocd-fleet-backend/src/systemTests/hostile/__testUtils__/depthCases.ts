/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import { realServer } from '../../../__testUtils__/realServer';
import { waitFor } from '../../../__testUtils__/waitFor';
import type {
  ArgoApplication,
  ClusterList,
} from 'backstage-plugin-argocd-fleet-common';
import { withPullLabel } from '../../faults/__testUtils__/hostileApplications';
import { BASE } from './api';
import type { HostileCase } from './hostileCase';
import type { Stage } from './stage';
import { create, hostile } from './tenantsApplications';

const LONG_NUMBER = '12345678901234567';
/** About as many as kube-apiserver accepts; the embedded hub accepts fewer. */
const DEEPEST = realServer() ? 9_000 : 2_300;

/** The tenant creates an Application whose Helm values nest so many levels, with the value innermost: a JSON text. */
function createNested(
  stage: Stage,
  application: ArgoApplication,
  levels: number,
  innermost: string,
): Promise<void> {
  const values = `${'{"a":'.repeat(levels)}${innermost}${'}'.repeat(levels)}`;
  const { spec } = application;
  const nested = {
    ...application,
    spec: { ...spec, source: { ...spec.source, helm: { valuesObject: 0 } } },
  };
  return create(
    stage,
    application,
    JSON.stringify(nested).replace(
      '"valuesObject":0',
      `"valuesObject":${values}`,
    ),
  );
}

async function createTwoOnOnePage(stage: Stage) {
  await createNested(
    stage,
    hostile('deep', withPullLabel('false')),
    DEEPEST,
    '1',
  );
  await createNested(stage, hostile('long'), 1, LONG_NUMBER);
  await waitFor(() => stage.workOf('long'));
  await waitFor(async () => (await hubFindings(stage)).includes('AFC-400'));
}

/** Codes of what is wrong with the hub as a whole, as an administrator sees it. */
async function hubFindings({ api }: Stage): Promise<string[]> {
  const { body } = await api.get(`${BASE}/clusters`);
  return (body as ClusterList).hubs.flatMap(({ findings = [] }) =>
    findings.map(({ code }) => code),
  );
}

/** One of them made the hub unreachable for everybody, as long as it existed. */
export const DEPTH_CASES: readonly HostileCase[] = [
  ...[...new Set([2_300, DEEPEST])].flatMap(levels =>
    [
      ['a long number', LONG_NUMBER],
      ['digits in a text', '"build:1234567890123456"'],
    ].map(([title, innermost]): HostileCase => ({
      attacker: 'tenant',
      kind: 'depth',
      title: `Helm values that nest ${levels} levels, with ${title}`,
      decidedByHub: true,
      async attack(stage) {
        await createNested(stage, hostile('hostile'), levels, innermost);
        await stage.untilFinding('AFC-129', 'hostile');
      },
      async afterwards(stage) {
        expect(await stage.workOf('hostile')).toBeUndefined();
      },
    })),
  ),
  {
    attacker: 'tenant',
    kind: 'depth',
    title:
      'a deep Application without the pull label beside one with a long number',
    decidedByHub: true,
    attack: createTwoOnOnePage,
  },
  {
    attacker: 'tenant',
    kind: 'depth',
    title: 'the same two, while the backend lists both on one page again',
    decidedByHub: true,
    async attack(stage) {
      await createTwoOnOnePage(stage);
      await stage.relist();
    },
  },
  {
    attacker: 'tenant',
    kind: 'depth',
    title: 'the same two, while a backend starts and lists both on one page',
    decidedByHub: true,
    async attack(stage) {
      const { answers } = await stage.victimSees();
      await createTwoOnOnePage(stage);
      const [{ ref, summary }] = await stage.setsSeenAfterStart();
      const before =
        answers[`/applicationsets/hub/${ref.namespace}/${ref.name}`];
      expect(summary.health).toEqual(before.summary.health);
    },
  },
];
