/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import {
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  type ArgoApplication,
  type ManifestWork,
  type Transition,
} from 'backstage-plugin-argocd-fleet-common';
import { pullApplication } from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import { targeting } from '../../faults/__testUtils__/hostileApplications';
import {
  countFor,
  SHAPES,
  type LargeObjects,
} from '../../../model/__testUtils__/largeObjects';
import { reportedWork } from '../../../model/__testUtils__/works';
import { applicationManifest } from '../../../model/delivery';
import { expectAccepted } from './accounts';
import { BASE, userHeader } from './api';
import type { HostileCase } from './hostileCase';
import { hubPath, pathOf } from './paths';
import { BREACHED, TENANT, VICTIMS_CLUSTER } from './places';
import type { Stage } from './stage';
import { create, hostile } from './tenantsApplications';

/** Characters of JSON. etcd takes 1.5 MiB, with the managed fields of all writers. */
const LARGEST = 1_000_000;

/** Open Cluster Management's webhook allows the manifests of a work no more than 512,000. */
const LARGEST_WORKLOAD = 450_000;

const largest = (
  shape: keyof typeof SHAPES,
  length: number = LARGEST,
): LargeObjects => SHAPES[shape](countFor(length, SHAPES[shape]));

/**
 * A part of a work of the example, for the Application of this work. That is read from the
 * annotations: where an agent has replaced the manifests and the backend stands back, they are not its own.
 */
function ofWork<T>(part: T, { metadata: { annotations } }: ManifestWork): T {
  const name = annotations![HUB_APPLICATION_NAME_ANNOTATION];
  const namespace = annotations![HUB_APPLICATION_NAMESPACE_ANNOTATION];
  const example = applicationManifest(reportedWork())!.metadata;
  return JSON.parse(
    JSON.stringify(part)
      .replaceAll(`"${example.name}"`, JSON.stringify(name))
      .replaceAll(`"${example.namespace}"`, JSON.stringify(namespace)),
  );
}

/** The agent of the hostile cluster writes into its work. */
async function patchWork(stage: Stage, patch: object, subresource = '') {
  const work = await stage.workOfAgent();
  const { agent } = stage.accounts;
  const path = pathOf('works', work);
  expectAccepted(
    await agent.send('PATCH', `${path}${subresource}`, ofWork(patch, work)),
  );
}

/** After the attack, the agent reports as an honest one does. */
function reportHealthyAfterwards(stage: Stage) {
  stage.afterwards(async () => {
    const work = await stage.workOfAgent();
    const { status } = reportedWork({
      work,
      feedback: { healthStatus: 'Healthy' },
    });
    await patchWork(stage, { status }, '/status');
  });
}

const STATUSES: readonly HostileCase[] = [
  'conditions of a manifest',
  'feedback values',
  'statuses of observed manifests that failed',
].map((shape): HostileCase => ({
  attacker: 'agent',
  kind: 'size',
  title: `reports a megabyte of ${shape}`,
  decidedByHub: true,
  async attack(stage) {
    const { status } = largest(shape).work;
    reportHealthyAfterwards(stage);
    await patchWork(stage, { status }, '/status');
  },
}));

/** After the agent's other cases: the backend stands back from the cluster for some minutes. */
export const LARGE_SPEC_CASES: readonly HostileCase[] = [
  'manifests that are observed, with configurations',
  'configurations of Applications',
  'manifests of one object',
].map((shape): HostileCase => ({
  attacker: 'agent',
  kind: 'size',
  title: `writes a megabyte of ${shape} into its work`,
  decidedByHub: true,
  async attack(stage) {
    const { workload, manifestConfigs } = largest(shape, LARGEST_WORKLOAD).work
      .spec;
    await patchWork(stage, { spec: { workload, manifestConfigs } });
  },
}));

const OF_TENANTS: readonly HostileCase[] = [
  'sources with parameters',
  'resources and conditions of an Application',
  'one long message',
].map((shape): HostileCase => ({
  attacker: 'tenant',
  kind: 'size',
  title: `an Application with a megabyte of ${shape}`,
  decidedByHub: true,
  async attack(stage) {
    const { spec, status, metadata } = largest(shape).application;
    await create(
      stage,
      hostile(
        'large',
        it =>
          ({
            ...it,
            metadata: { ...it.metadata, labels: metadata.labels },
            spec: { ...it.spec, ...spec, destination: it.spec.destination },
            ...(status && { status }),
          }) as ArgoApplication,
      ),
    );
  },
}));

/** The transitions of an Application of the tenant. */
async function transitionsOf(
  { api }: Stage,
  name: string,
): Promise<readonly Transition[]> {
  const { status, body } = await api
    .get(`${BASE}/applications/hub/${TENANT}/${name}/transitions?limit=100`)
    .set('authorization', userHeader('tina'));
  expect(status).toBe(200);
  return body.items;
}

/** More than an Application may have recorded in two minutes of the clock: 20 in each, its milestones apart. */
const FLOOD = 200;
const MAX_RECORDED = 45;

/** More Applications than all others have, by far. */
const MANY = 300;

const FLOODS: readonly HostileCase[] = [
  {
    attacker: 'agent',
    kind: 'flood',
    title: 'reports another health as fast as the hub takes it',
    async attack(stage) {
      reportHealthyAfterwards(stage);
      for (let count = 0; count < FLOOD; count += 1) {
        const healthStatus = count % 2 ? 'Degraded' : 'Suspended';
        const work = await stage.workOfAgent();
        const { status } = reportedWork({ work, feedback: { healthStatus } });
        await patchWork(stage, { status }, '/status');
      }
    },
    async afterwards(stage) {
      const { length } = await transitionsOf(stage, 'stall');
      expect(length).toBeGreaterThan(1);
      expect(length).toBeLessThanOrEqual(MAX_RECORDED);
    },
  },
  {
    attacker: 'tenant',
    kind: 'flood',
    title: 'creates hundreds of Applications for the victim’s cluster at once',
    async attack(stage) {
      await Promise.all(
        Array.from({ length: MANY }, (_, index) =>
          create(stage, hostile(`flood-${index}`, targeting(VICTIMS_CLUSTER))),
        ),
      );
    },
    async afterwards(stage) {
      expect(await stage.works()).toHaveLength(5);
    },
  },
];

const FIGHT = { namespace: TENANT, name: 'fought' };
/** Writes that are made at once: the first, and three more. */
const UNDONE_AT_ONCE = 4;

const FIGHTS: readonly HostileCase[] = [
  {
    attacker: 'tenant',
    kind: 'fight',
    title: 'empties the status of its Application each time it is written',
    decidedByHub: true,
    async attack(stage) {
      const { tenant, agent } = stage.accounts;
      await create(
        stage,
        pullApplication(FIGHT.name, BREACHED, { namespace: TENANT }),
      );
      const work = await waitFor(() => stage.workOf(FIGHT.name));
      const { status } = reportedWork({
        work,
        feedback: { healthStatus: 'Healthy', syncStatus: 'Synced' },
      });
      expectAccepted(
        await agent.send('PATCH', `${pathOf('works', work)}/status`, {
          status,
        }),
      );
      const path = hubPath('applications', FIGHT);
      let undone = 0;
      while (
        !(await stage.findings()).some(
          ({ code, object }) =>
            code === 'AFC-131' && object?.kind === 'Application',
        )
      ) {
        const { body } = await tenant.send('GET', path);
        if (body.status?.health) {
          undone += 1;
          expect(undone).toBeLessThanOrEqual(UNDONE_AT_ONCE);
          expectAccepted(await tenant.send('PATCH', path, { status: null }));
        }
      }
      expect(undone).toBeGreaterThanOrEqual(UNDONE_AT_ONCE - 1);
    },
  },
];

/** Attacks by those who write more, or more often, than anybody needs. */
export const OVERLOAD_CASES: readonly HostileCase[] = [
  ...STATUSES,
  ...OF_TENANTS,
  ...FLOODS,
  ...FIGHTS,
];
