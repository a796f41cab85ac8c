import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mockServices } from '@backstage/backend-test-utils';
import { startFaultyLink, type FaultyLink } from '../__testUtils__/faultyLink';
import {
  CRDS,
  NAMESPACES,
  readReportCrd,
  startTestHub,
  type TestHub,
} from '../__testUtils__/hubFixture';
import {
  managedCluster,
  namespace,
  NAMESPACE,
  pullApplication,
} from '../__testUtils__/objects';
import { waitFor } from '../__testUtils__/waitFor';
import { createHubCache, type HubCache } from './hubCache';
import { createHubConnector } from './hubConnection';
import { createHttpHubClient } from './httpHubClient';
import type { ReflectorTiming } from './reflector';

const TIMING: ReflectorTiming = {
  watchSeconds: 60,
  backoffMinMs: 20,
  backoffMaxMs: 100,
  absentRetryMs: 50,
  relistJitterMs: 10,
};

const NO_INDEXES = {
  applications: {},
  applicationSets: {},
  works: {},
  clusters: {},
  placements: {},
  decisions: {},
  reports: {},
};

jest.setTimeout(90_000);

describe('hub cache', () => {
  let testHub: TestHub;
  let link: FaultyLink;
  let folder: string;
  let kubeconfigPath: string;
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    testHub = await startTestHub();
    link = await startFaultyLink(testHub.hub.url);
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-cache-'));
    kubeconfigPath = join(folder, 'kubeconfig');
    await pointTo(link.url);
    await testHub.somebody.client.create(NAMESPACES, namespace(NAMESPACE));
  });

  afterEach(async () => {
    link.setFault(undefined);
    await Promise.all(stops.splice(0).map(stop => stop()));
  });

  afterAll(async () => {
    await link.stop();
    await testHub.stop();
    await rm(folder, { recursive: true });
  });

  async function pointTo(url: string) {
    const text = await readFile(testHub.kubeconfigPath, 'utf8');
    await writeFile(kubeconfigPath, text.replaceAll(testHub.hub.url, url));
  }

  function startCache(
    options: { path?: string; timing?: Partial<ReflectorTiming> } = {},
  ): HubCache {
    const client = createHttpHubClient({
      hub: 'hub',
      connector: createHubConnector({
        hub: 'hub',
        access: { kubeconfig: { path: options.path ?? kubeconfigPath } },
      }),
      fieldManager: 'argocd-fleet',
      watchGraceMs: 200,
    });
    const cache = createHubCache({
      hub: 'hub',
      client,
      indexes: NO_INDEXES,
      logger: mockServices.logger.mock(),
      timing: { ...TIMING, ...options.timing },
    });
    const stop = new AbortController();
    const running = cache.run(stop.signal);
    stops.push(async () => {
      stop.abort();
      await running;
      await client.close();
    });
    return cache;
  }

  const isReady = (cache: HubCache) => () => cache.state().state === 'ready';

  function requests(verb: string, resource: string) {
    return testHub.hub.requests.filter(
      entry =>
        entry.userAgent === 'argocd-fleet' &&
        entry.verb === verb &&
        entry.resource === resource,
    ).length;
  }

  it('is starting until everything has been listed, then follows what happens', async () => {
    const cache = startCache();
    expect(cache.state().state).toBe('starting');
    await waitFor(isReady(cache));

    await testHub.somebody.create('clusters', managedCluster('followed'));
    await waitFor(() => cache.clusters.get('followed'));
    await testHub.somebody.patch(
      'clusters',
      { name: 'followed' },
      { metadata: { labels: { region: 'eu' } } },
    );
    await waitFor(
      () => cache.clusters.get('followed')?.metadata.labels?.region === 'eu',
    );
    await testHub.somebody.delete('clusters', { name: 'followed' });
    await waitFor(() => !cache.clusters.get('followed'));
  });

  it('holds nothing that no reader uses', async () => {
    const cache = startCache();
    await waitFor(isReady(cache));
    await testHub.somebody.create(
      'applications',
      pullApplication('slim', 'cluster1', {
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
          kept: 'yes',
        },
      }),
    );
    const held = await waitFor(() =>
      cache.applications.get(`${NAMESPACE}/slim`),
    );
    expect(held.metadata.annotations).toEqual({ kept: 'yes' });
    expect(held.metadata).not.toHaveProperty('managedFields');
  });

  it('takes a dropped watch up again where it was, without a new list and without alarm', async () => {
    const cache = startCache();
    await waitFor(isReady(cache));
    await waitFor(() => requests('watch', 'managedclusters') > 0);
    testHub.clearRequests();

    link.drop();
    await testHub.somebody.create('clusters', managedCluster('meanwhile'));

    await waitFor(() => cache.clusters.get('meanwhile'));
    expect(requests('list', 'managedclusters')).toBe(0);
    expect(cache.state().state).toBe('ready');
  });

  it('lists again when its place in the watch has expired, and notices what is gone', async () => {
    await testHub.somebody.create('clusters', managedCluster('goes'));
    const cache = startCache();
    await waitFor(isReady(cache));
    await waitFor(() => cache.clusters.get('goes'));

    await testHub.somebody.create('clusters', managedCluster('comes'));
    link.setFault((url, response) => {
      if (!url.includes('/managedclusters?watch=true')) {
        return undefined;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        `${JSON.stringify({
          type: 'ERROR',
          object: {
            kind: 'Status',
            code: 410,
            reason: 'Expired',
            message: 'too old resource version',
          },
        })}\n`,
      );
      return { answered: true };
    });
    link.drop();
    await testHub.somebody.delete('clusters', { name: 'goes' });

    await waitFor(() => !cache.clusters.get('goes'));
    expect(cache.clusters.get('comes')).toBeDefined();
    expect(cache.state().state).toBe('ready');
  });

  it('believes a list only when its last page has come', async () => {
    for (const name of ['page-1', 'page-2', 'page-3']) {
      await testHub.somebody.create('clusters', managedCluster(name));
    }
    const cache = startCache();
    await waitFor(isReady(cache));
    const known = cache.clusters.size;
    const removed = jest.fn();
    cache.onChange(change => change.after ?? removed(change.key));

    let failedPages = 0;
    link.setFault((url, response) => {
      if (!url.includes('/managedclusters?')) {
        return undefined;
      }
      if (url.includes('watch=true')) {
        response.destroy();
        return { answered: true };
      }
      if (url.includes('continue=')) {
        failedPages += 1;
        response.writeHead(500).end('the store is not there');
        return { answered: true };
      }
      return { url: url.replace('limit=500', 'limit=2') };
    });
    link.drop();

    await waitFor(() => failedPages >= 2);
    await waitFor(() => cache.state().state === 'unreachable');
    expect(cache.state().message).toContain('the store is not there');
    expect(cache.missing(['clusters'])).toHaveLength(1);
    expect(cache.missing(['applications'])).toEqual([]);
    expect(removed).not.toHaveBeenCalled();
    expect(cache.clusters.size).toBe(known);

    link.setFault(undefined);
    await waitFor(isReady(cache));
  });

  it('tells a silent watch from an idle one', async () => {
    const cache = startCache({ timing: { watchSeconds: 1 } });
    await waitFor(isReady(cache));
    let silent = 0;
    link.setFault((url, response) => {
      if (!url.includes('/managedclusters?watch=true') || silent > 0) {
        return undefined;
      }
      silent += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      return { answered: true };
    });
    link.drop();
    await waitFor(() => silent > 0);
    await testHub.somebody.create('clusters', managedCluster('after-silence'));
    await waitFor(() => cache.clusters.get('after-silence'));
    expect(silent).toBe(1);
  });

  it('names a resource that the hub does not serve, goes on with the others, and notices when it comes', async () => {
    const { client } = testHub.somebody;
    const crd = await readReportCrd();
    const { name } = crd.metadata;
    await testHub.removeCrd(name);
    const cache = startCache();

    const finding = await waitFor(() => cache.state().findings?.[0]);
    expect(finding).toMatchObject({
      code: 'AFC-401',
      title: 'MulticlusterApplicationSetReport is not served by hub hub',
      object: { name },
    });
    await waitFor(isReady(cache));
    expect(cache.missing(['reports'])).toHaveLength(1);
    expect(cache.missing(['applications', 'works'])).toEqual([]);

    await client.create(CRDS, crd);
    await waitFor(() => cache.missing(['reports']).length === 0);
    expect(cache.state().findings).toEqual([]);
  });

  it('says which rule is missing where it may not read', async () => {
    link.setFault((url, response) => {
      if (!url.includes('/manifestworks?')) {
        return undefined;
      }
      response.writeHead(403, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          kind: 'Status',
          code: 403,
          reason: 'Forbidden',
          message: 'manifestworks is forbidden: User "x" cannot list',
        }),
      );
      return { answered: true };
    });
    const cache = startCache();
    const finding = await waitFor(() => cache.state().findings?.[0]);
    expect(finding.fix?.command).toContain('resources: ["manifestworks"]');
    expect(finding.evidence).toContain('User "x" cannot list');

    link.setFault(undefined);
    await waitFor(() => cache.state().findings?.length === 0);
  });

  it('keeps what it knew of a hub that is away, says so, and comes back by itself', async () => {
    await testHub.somebody.create('clusters', managedCluster('kept'));
    const cache = startCache();
    await waitFor(isReady(cache));

    await link.down();
    await waitFor(() => cache.state().state === 'unreachable');
    expect(cache.state().message).toMatch(
      /on hub "hub": .*ECONNREFUSED.*What is shown is the last that was known/,
    );
    expect(cache.clusters.get('kept')).toBeDefined();
    await waitFor(() => cache.missing(['clusters']).length === 1);

    await link.up();
    await waitFor(isReady(cache));
  });

  it('waits for a kubeconfig that is not there yet, and follows it to another address', async () => {
    const path = join(folder, 'later');
    const cache = startCache({ path });
    await waitFor(() => cache.state().state === 'unreachable');
    expect(cache.state().message).toContain(path);

    await writeFile(path, await readFile(kubeconfigPath, 'utf8'));
    await waitFor(isReady(cache));

    await writeFile(path, await readFile(testHub.kubeconfigPath, 'utf8'));
    await link.down();
    try {
      await testHub.somebody.create('clusters', managedCluster('moved'));
      await waitFor(() => cache.clusters.get('moved'));
    } finally {
      await link.up();
    }
  });
});
