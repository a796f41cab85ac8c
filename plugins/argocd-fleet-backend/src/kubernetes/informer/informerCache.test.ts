import type {
  ConfigMap,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import {
  NAMESPACES,
  startTestHub,
  type TestHub,
} from '../../__testUtils__/hubFixture';
import { mockLogger } from '../../__testUtils__/mockLogger';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  KubernetesError,
  type KubernetesClient,
  type ResourceType,
} from '../client';
import { createInformerCache } from './informerCache';
import { DEFAULT_REFLECTOR_TIMING } from './reflectorTiming';

const CONFIG_MAPS: ResourceType<ConfigMap> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

interface StoredConfigMap extends KubernetesObject {
  readonly keys: readonly string[];
}

type Types = {
  readonly namespaces: {
    readonly object: KubernetesObject;
    readonly stored: KubernetesObject;
    readonly index: never;
  };
  readonly configMaps: {
    readonly object: ConfigMap;
    readonly stored: StoredConfigMap;
    readonly index: 'key';
  };
};

function configMap(namespace: string, name: string, color: string) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name, labels: { color } },
    data: { [`key-of-${name}`]: 'value' },
  };
}

describe('informer cache', () => {
  let testHub: TestHub;
  const stop = new AbortController();

  beforeAll(async () => {
    testHub = await startTestHub();
    await testHub.provideNamespaces('one', 'two');
  });

  afterAll(async () => {
    stop.abort();
    await testHub.stop();
  });

  it('stores what its transforms return, of the selected objects in the watched namespaces', async () => {
    const { client } = testHub.admin;
    const cache = createInformerCache<Types, 'configMaps'>({
      client,
      server: 'the test server',
      resources: { namespaces: NAMESPACES, configMaps: CONFIG_MAPS },
      indexes: { namespaces: {}, configMaps: { key: ({ keys }) => keys } },
      transforms: {
        configMaps: ({ data = {}, ...rest }) => ({
          ...rest,
          keys: Object.keys(data),
        }),
      },
      transform: object => object,
      namespaced: { configMaps: { labelSelector: 'color=red' } },
      optional: new Set(),
      logger: mockLogger(),
    });
    expect(cache.unsyncedReasons(['namespaces'])).toEqual([
      'namespaces of the test server are not listed yet',
    ]);
    for (const object of [
      configMap('one', 'red', 'red'),
      configMap('one', 'blue', 'blue'),
      configMap('two', 'other', 'red'),
    ]) {
      await client.create(CONFIG_MAPS, object);
    }
    cache.run(stop.signal);
    await cache.waitForSync(['namespaces'], stop.signal);
    expect(cache.namespaces.get('one')).toBeDefined();
    expect([...cache.configMaps.keys()]).toEqual([]);

    cache.watchNamespaces('configMaps', new Set(['one']));
    expect(
      await cache.waitForNamespaceSync(['configMaps'], 'one', stop.signal),
    ).toBeUndefined();
    expect([...cache.configMaps.keys()]).toEqual(['one/red']);
    const [stored] = cache.configMaps.by('key', 'key-of-red');
    expect(stored).not.toHaveProperty('data');
    expect(stored.keys).toEqual(['key-of-red']);

    const events: string[] = [];
    cache.onChange(({ resource, key, after }) =>
      events.push(`${resource} ${key} ${after ? 'stored' : 'deleted'}`),
    );
    const { uid = '' } = stored.metadata;
    await client.delete(CONFIG_MAPS, stored.metadata, { uid });
    await waitFor(() => cache.configMaps.size === 0);
    expect(events).toEqual(['configMaps one/red deleted']);
  });

  it('tells every listener of every change, whichever of them fails', async () => {
    const { client } = testHub.admin;
    const logger = mockLogger();
    const cache = createInformerCache<Pick<Types, 'namespaces'>, never>({
      client,
      server: 'the test server',
      resources: { namespaces: NAMESPACES },
      indexes: { namespaces: {} },
      transforms: {},
      transform: object => object,
      namespaced: {},
      optional: new Set(),
      logger,
    });
    const told: string[] = [];
    const states: boolean[] = [];
    const fail = () => {
      throw new Error('a listener fails');
    };
    cache.onChange(fail);
    cache.onChange(({ key }) => told.push(key));
    cache.onStateChange(fail);
    cache.onStateChange(() => states.push(cache.hasSynced('namespaces')));
    const ended = new AbortController();
    const running = cache.run(ended.signal);
    await cache.waitForSync(['namespaces'], ended.signal);
    await testHub.provideNamespaces('three');
    await waitFor(() => told.includes('three'));
    expect(told).toContain('one');
    expect(states).toContain(true);
    expect(cache.unsyncedReasons(['namespaces'])).toEqual([]);
    expect(logger.error).toHaveBeenCalledWith(
      'Could not process namespaces three of the test server',
      expect.objectContaining({ message: 'a listener fails' }),
    );
    ended.abort();
    await running;
  });

  it('lists all resources as soon as one of them gets an answer again', async () => {
    const { client } = testHub.admin;
    let listNamespaces = () => {};
    const namespacesMayFail = new Promise<void>(resolve => {
      listNamespaces = resolve;
    });
    const failed = new Set<string>();
    const list: KubernetesClient['list'] = async (resource, options) => {
      if (failed.has(resource.plural)) {
        return client.list(resource, options);
      }
      if (resource === NAMESPACES) {
        await namespacesMayFail;
      }
      failed.add(resource.plural);
      throw new KubernetesError('unavailable', 'nobody answers');
    };
    // Config maps would wait longer than this test may take.
    const timing = {
      ...DEFAULT_REFLECTOR_TIMING,
      ...{ backoffMinMs: 1_000_000, backoffMaxMs: 1_000_000 },
    };
    const cache = createInformerCache<Types, never>({
      client: { ...client, list },
      server: 'the test server',
      resources: { namespaces: NAMESPACES, configMaps: CONFIG_MAPS },
      indexes: { namespaces: {}, configMaps: { key: ({ keys }) => keys } },
      transforms: { configMaps: object => ({ ...object, keys: [] }) },
      transform: object => object,
      namespaced: {},
      optional: new Set(),
      logger: mockLogger(),
      timing,
    });
    cache.run(stop.signal);
    await waitFor(() =>
      cache.unsyncedReasons(['configMaps']).includes('nobody answers'),
    );
    timing.backoffMinMs = 1;
    listNamespaces();
    await cache.waitForSync(['namespaces', 'configMaps'], stop.signal);
    expect(cache.unsyncedReasons(['namespaces', 'configMaps'])).toEqual([]);
  });
});
