import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import { application } from '../__testUtils__/applications';
import { buildManifestWork } from './manifestWork';
import { differsOnlyInExpressions } from './expressions';
import { DEFAULT_PROPAGATION } from './workPlan';

function work(
  options: Partial<typeof DEFAULT_PROPAGATION> = {},
  app = application(),
): ManifestWork {
  return buildManifestWork(
    app,
    { cluster: 'cluster1', name: 'work' },
    { ...DEFAULT_PROPAGATION, ...options },
  );
}

/** The work as an older version wrote it. */
const older = work({ digestExpression: '"an older expression"' });

function withRule(rule: object): ManifestWork {
  const [config] = older.spec.manifestConfigs!;
  const [existing] = config.conditionRules!;
  return {
    ...older,
    spec: {
      ...older.spec,
      manifestConfigs: [
        { ...config, conditionRules: [{ ...existing, ...rule }] },
      ],
    },
  };
}

describe('a work differs only in its expressions', () => {
  it.each([
    ['if the message has another one', older],
    [
      'if the condition has another one too',
      withRule({ celExpressions: ['object.status.ready'] }),
    ],
    [
      'even if the API server added defaults',
      withRule({ message: undefined, type: 'CEL' }),
    ],
  ])('%s', (_, existing) => {
    expect(differsOnlyInExpressions(existing, work())).toBe(true);
  });

  it.each([
    [
      'the Application changed too',
      older,
      work({}, application({ spec: { ...application().spec, project: 'p' } })),
    ],
    ['the agent is to poll instead', older, work({ watch: false })],
    ['there is no condition rule yet', work({ conditionRules: false }), work()],
    ['its rule has no expression', withRule({ messageExpression: '' }), work()],
    [
      'its condition has no expression',
      withRule({ celExpressions: [] }),
      work(),
    ],
    ['its rule makes another condition', withRule({ condition: 'X' }), work()],
    [
      'another writer removed a label',
      { ...older, metadata: { ...older.metadata, labels: {} } },
      work(),
    ],
    [
      'a namespace is to be delivered too',
      older,
      work({ includeNamespace: true }),
    ],
  ])('but not if %s', (_, existing, desired) => {
    expect(differsOnlyInExpressions(existing, desired)).toBe(false);
  });

  it('but not if an operation is to be sent', () => {
    const oneShot = { operation: { sync: { revision: 'v2' } }, marks: {} };
    expect(differsOnlyInExpressions(older, work(), oneShot)).toBe(false);
  });
});
