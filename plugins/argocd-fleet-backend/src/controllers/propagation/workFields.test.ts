import { mockLogger } from '../../__testUtils__/mockLogger';
import type { KubernetesClient } from '../../kubernetes/client/client';
import { createConnector } from '../../kubernetes/client/connection';
import { KubernetesError } from '../../kubernetes/client/errors';
import { createHttpClient } from '../../kubernetes/client/httpClient';
import { application } from '../../model/__testUtils__/applications';
import { buildManifestWork } from '../../model/manifestwork/manifestWork';
import { NEWER_FIELDS } from '../../model/manifestwork/newerFields';
import { DEFAULT_PROPAGATION as propagation } from '../../model/manifestwork/workPlan';
import { createWorkFields } from './workFields';

function work(options: { conditionRules: boolean; watch: boolean }) {
  return buildManifestWork(
    application(),
    { cluster: 'cluster1', name: 'work' },
    { ...propagation, ...options },
  );
}

function setUp(wanted = propagation) {
  return createWorkFields({
    hub: 'hub',
    propagation: wanted,
    client: createHttpClient({
      server: 'hub "hub"',
      connector: createConnector({
        server: 'hub "hub"',
        access: { kubeconfig: { path: '/nowhere' } },
      }),
      fieldManager: 'test',
    }),
  });
}

const ALL = Object.keys(NEWER_FIELDS);

/** A definition of ManifestWork with some fields of the configuration of a manifest. */
function definitionWith(fields: readonly string[]) {
  const properties = Object.fromEntries(fields.map(field => [field, {}]));
  const manifestConfigs = { items: { properties } };
  const spec = { properties: { manifestConfigs } };
  const schema = { openAPIV3Schema: { properties: { spec } } };
  return {
    metadata: { name: 'manifestworks', resourceVersion: '1' },
    spec: { versions: [{ name: 'v1', schema }] },
  };
}

describe('fields that a hub drops', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are left out, reported once, and tried again after an hour', () => {
    const fields = setUp();
    expect(fields.options()).toEqual(propagation);
    expect(fields.findings()).toEqual([]);

    const whole = work({ conditionRules: true, watch: true });
    fields.compareStored(whole, work({ conditionRules: true, watch: false }));
    expect(fields.options()).toEqual({ ...propagation, watch: false });
    expect(fields.findings()).toMatchObject([
      {
        code: 'AFC-404',
        severity: 'info',
        evidence: expect.stringContaining('feedbackScrapeType'),
        fix: { description: expect.stringContaining('1.2') },
      },
    ]);

    jest.advanceTimersByTime(60 * 60 * 1000);
    expect(fields.options()).toEqual(propagation);
    expect(fields.findings()).toEqual([]);
  });

  it('are none when the hub stored all that was written', () => {
    const fields = setUp();
    const whole = work({ conditionRules: true, watch: true });
    fields.compareStored(whole, whole);
    expect(fields.options()).toEqual(propagation);
  });

  it('are not reported when they are not configured', () => {
    const wanted = { ...propagation, conditionRules: false, watch: false };
    const fields = setUp(wanted);
    const plain = work({ conditionRules: false, watch: false });
    fields.compareStored(plain, plain);
    expect(fields.findings()).toEqual([]);
  });

  it.each([
    ['only every ten minutes while it lacks nothing', ALL, undefined, 2],
    ['in each run while it lacks fields', ['watch'], undefined, 13],
    ['only every ten minutes while it may not be read', [], 'forbidden', 2],
    ['in each run while it cannot be read', [], 'unavailable', 13],
  ] as const)(
    'are looked up in the definition %s',
    async (_, defined, failure, requests) => {
      const get = jest.fn(async () => {
        if (failure) {
          throw new KubernetesError(failure, 'no answer');
        }
        return definitionWith(defined);
      });
      const fields = createWorkFields({
        hub: 'hub',
        propagation,
        client: { get } as unknown as KubernetesClient,
      });
      const { signal } = new AbortController();
      for (let run = 0; run < 13; run += 1) {
        await fields.refresh(signal, mockLogger());
        jest.advanceTimersByTime(50_000);
      }
      expect(get).toHaveBeenCalledTimes(requests);
    },
  );
});
