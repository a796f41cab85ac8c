import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CRDS } from '../__testUtils__/emptyHub';
import { startFaultyLink, type FaultyLink } from '../__testUtils__/faultyLink';
import {
  readReportCrd,
  startTestHub,
  type TestHub,
} from '../__testUtils__/hubFixture';
import { mockLogger } from '../__testUtils__/mockLogger';
import {
  managedCluster,
  NAMESPACE,
  pullApplication,
} from '../__testUtils__/objects';
import { waitFor } from '../__testUtils__/waitFor';
import { createConnector } from '../kubernetes/client/connection';
import { createHttpClient } from '../kubernetes/client/httpClient';
import type { ListWatchStart } from '../kubernetes/informer/reflector';
import type { ReflectorTiming } from '../kubernetes/informer/reflectorTiming';
import { createFleetCache, type FleetCache } from './fleetCache';

/** Milliseconds after which a watch that the hub should have ended is overdue. */
const WATCH_GRACE_MS = 200;

const TIMING: ReflectorTiming = {
  watchSeconds: 60,
  watchProvenMs: 100,
  backoffMinMs: 20,
  backoffMaxMs: 100,
  relistMaxMs: 100,
  absentRetryMs: 50,
  relistJitterMs: 10,
};

describe('fleet cache', () => {
  let testHub: TestHub;
  let link: FaultyLink;
  let folder: string;
  let kubeconfigPath: string;
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    testHub = await startTestHub();
    link = await startFaultyLink(testHub.hub);
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-cache-'));
    kubeconfigPath = join(folder, 'kubeconfig');
    await pointTo(link.url);
    await testHub.provideNamespaces(NAMESPACE);
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
    options: {
      path?: string;
      timing?: Partial<ReflectorTiming>;
      requestTimeoutMs?: number;
      onListWatchStart?: (start: ListWatchStart) => void;
    } = {},
  ): FleetCache {
    const client = createHttpClient({
      server: 'hub "hub"',
      connector: createConnector({
        server: 'hub "hub"',
        access: { kubeconfig: { path: options.path ?? kubeconfigPath } },
      }),
      fieldManager: 'argocd-fleet',
      requestTimeoutMs: options.requestTimeoutMs,
      watchGraceMs: WATCH_GRACE_MS,
    });
    const cache = createFleetCache({
      hub: 'hub',
      client,
      logger: mockLogger(),
      timing: { ...TIMING, ...options.timing },
      onListWatchStart: options.onListWatchStart,
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

  const isReady = (cache: FleetCache) => () => cache.state().state === 'ready';

  function requests(verb: string, resource: string) {
    return testHub.hub.requests.filter(
      entry =>
        entry.userAgent === 'argocd-fleet' &&
        entry.verb === verb &&
        entry.resource === resource,
    ).length;
  }

  it('is starting until every resource is listed, then applies watch events', async () => {
    const cache = startCache();
    expect(cache.state().state).toBe('starting');
    await waitFor(isReady(cache));

    await testHub.admin.create('clusters', managedCluster('followed'));
    await waitFor(() => cache.clusters.get('followed'));
    await testHub.admin.patch(
      'clusters',
      { name: 'followed' },
      { metadata: { labels: { region: 'eu' } } },
    );
    await waitFor(
      () => cache.clusters.get('followed')?.metadata.labels?.region === 'eu',
    );
    await testHub.admin.delete('clusters', { name: 'followed' });
    await waitFor(() => !cache.clusters.get('followed'));
  });

  it('stores nothing that no reader uses', async () => {
    const cache = startCache();
    await waitFor(isReady(cache));
    await testHub.admin.create(
      'applications',
      pullApplication('slim', 'cluster1', {
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
          kept: 'yes',
        },
      }),
    );
    const stored = await waitFor(() =>
      cache.applications.get(`${NAMESPACE}/slim`),
    );
    expect(stored.metadata.annotations).toEqual({ kept: 'yes' });
    expect(JSON.stringify(stored)).not.toContain('managedFields');
  });

  it('resumes a dropped watch at its resource version, without a new list and without a warning', async () => {
    const cache = startCache();
    await waitFor(isReady(cache));
    await waitFor(() => requests('watch', 'managedclusters') > 0);
    testHub.clearRequests();

    link.drop();
    await testHub.admin.create('clusters', managedCluster('meanwhile'));

    await waitFor(() => cache.clusters.get('meanwhile'));
    expect(requests('list', 'managedclusters')).toBe(0);
    expect(cache.state().state).toBe('ready');
  });

  it('lists again when its resource version has expired, and removes deleted objects', async () => {
    await testHub.admin.create('clusters', managedCluster('goes'));
    const cache = startCache();
    await waitFor(isReady(cache));
    await waitFor(() => cache.clusters.get('goes'));

    await testHub.admin.create('clusters', managedCluster('comes'));
    let expired = false;
    link.setFault((url, response) => {
      if (expired || !url.includes('/managedclusters?watch=true')) {
        return undefined;
      }
      expired = true;
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
    await testHub.admin.delete('clusters', { name: 'goes' });

    await waitFor(() => !cache.clusters.get('goes'));
    expect(cache.clusters.get('comes')).toBeDefined();
    expect(cache.state().state).toBe('ready');
  });

  it('applies a list only when its last page has arrived', async () => {
    for (const name of ['page-1', 'page-2', 'page-3']) {
      await testHub.admin.create('clusters', managedCluster(name));
    }
    const cache = startCache();
    await waitFor(isReady(cache));
    const sizeBefore = cache.clusters.size;
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
        response.writeHead(500).end('not there');
        return { answered: true };
      }
      return { url: url.replace('limit=500', 'limit=2') };
    });
    link.drop();

    await waitFor(() => failedPages >= 2);
    // The watch fails as well, and its error may be the latest.
    await waitFor(() => cache.state().message?.includes('HTTP 500 without'));
    expect(cache.state().state).toBe('unreachable');
    expect(cache.unsyncedReasons(['clusters'])).toHaveLength(1);
    expect(cache.unsyncedReasons(['applications'])).toEqual([]);
    expect(removed).not.toHaveBeenCalled();
    expect(cache.clusters.size).toBe(sizeBefore);

    link.setFault(undefined);
    await waitFor(isReady(cache));
  });

  it('distinguishes a silent watch from an idle one', async () => {
    const cache = startCache({ timing: { watchSeconds: 0.5 } });
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
    await testHub.admin.create('clusters', managedCluster('after-silence'));
    await waitFor(() => cache.clusters.get('after-silence'));
    expect(silent).toBe(1);
  });

  it('reports a hub that hangs when its watches are overdue, since its last sign of life', async () => {
    const cache = startCache({
      timing: { watchSeconds: 0.5 },
      requestTimeoutMs: 300,
    });
    await waitFor(isReady(cache));
    await waitFor(() => requests('watch', 'managedclusters') > 0);

    link.freeze();
    try {
      // What was on its way arrives, long before a watch is overdue.
      await pause(WATCH_GRACE_MS / 4);
      const silentFrom = Date.now();
      // The watch that follows an overdue one has to begin in time.
      await waitFor(() => cache.state().state === 'unreachable');
      const { since, message } = cache.state();
      expect(message).toContain('no answer within 0.9 s');
      expect(Date.parse(since!)).toBeLessThanOrEqual(silentFrom);

      await waitFor(
        () => cache.unsyncedReasons(['clusters', 'works']).length === 2,
      );
      expect(cache.state().since).toBe(since);
    } finally {
      link.thaw();
    }
    await waitFor(isReady(cache));
  });

  it('never reports a hub that answers late, but in time for a request', async () => {
    let overdue = 0;
    const cache = startCache({
      // Far longer than the stall: the hub must not end the next watch before its first answer arrives.
      timing: { watchSeconds: 2 },
      onListWatchStart({ kind, cause }) {
        overdue += kind === 'watch' && cause === 'unavailable' ? 1 : 0;
      },
    });
    await waitFor(isReady(cache));
    const states: string[] = [];
    cache.onStateChange(() => states.push(cache.state().state));

    const isOverdue = () => overdue > 0;
    for (let stall = 0; stall < 2; stall += 1) {
      testHub.clearRequests();
      overdue = 0;
      link.freeze();
      try {
        await waitFor(isOverdue);
        await pause(1.5 * WATCH_GRACE_MS);
      } finally {
        link.thaw();
      }
      await testHub.admin.create('clusters', managedCluster(`late-${stall}`));
      await waitFor(() => cache.clusters.get(`late-${stall}`));
      expect(requests('list', 'managedclusters')).toBe(0);
    }
    expect(states).not.toContain('unreachable');
  });

  it('reports a resource that the hub does not serve, reads the others, and lists it once it is served', async () => {
    const { client } = testHub.admin;
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
    expect(cache.unsyncedReasons(['reports'])).toHaveLength(1);
    expect(cache.unsyncedReasons(['applications', 'works'])).toEqual([]);
    expect(cache.state().unread).toEqual(['multiclusterapplicationsetreports']);

    await client.create(CRDS, crd);
    await waitFor(() => cache.unsyncedReasons(['reports']).length === 0);
    expect(cache.state()).toMatchObject({ findings: [], unread: [] });
  });

  const status = (code: number, reason: string) =>
    JSON.stringify({ kind: 'Status', code, reason, message: reason });
  it.each<[string, number, string]>([
    ['are refused', 503, status(503, 'ServiceUnavailable')],
    ['are forbidden', 403, status(403, 'Forbidden')],
    ['end at once', 200, ''],
    [
      'expire at once',
      200,
      `${JSON.stringify({ type: 'ERROR', object: JSON.parse(status(410, 'Expired')) })}\n`,
    ],
  ])(
    'reports all the time that lists work and watches %s',
    async (_, code, body) => {
      const cache = startCache();
      await waitFor(isReady(cache));
      let attempts = 0;
      link.setFault((url, response) => {
        if (!url.includes('/managedclusters?watch=true')) {
          return undefined;
        }
        attempts += 1;
        response.writeHead(code, { 'content-type': 'application/json' });
        response.end(body);
        return { answered: true };
      });
      link.drop();
      await waitFor(() => cache.unsyncedReasons(['clusters']).length === 1);
      const missing: number[] = [];
      cache.onStateChange(() =>
        missing.push(cache.unsyncedReasons(['clusters']).length),
      );

      await waitFor(() => attempts >= 5);
      expect(missing).not.toContain(0);

      link.setFault(undefined);
      await waitFor(() => cache.unsyncedReasons(['clusters']).length === 0);
    },
  );

  it('names the missing RBAC rule where a list is forbidden', async () => {
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

  it('keeps the objects of an unreachable hub, reports it, and recovers by itself', async () => {
    await testHub.admin.create('clusters', managedCluster('kept'));
    const cache = startCache();
    await waitFor(isReady(cache));

    await link.down();
    await waitFor(() => cache.state().state === 'unreachable');
    expect(cache.state().message).toMatch(
      /on hub "hub": .*ECONNREFUSED.*What is shown is the last that was known/,
    );
    expect(cache.clusters.get('kept')).toBeDefined();
    await waitFor(() => cache.unsyncedReasons(['clusters']).length === 1);

    await link.up();
    await waitFor(isReady(cache));
  });

  it('is not unreachable while a hub that answers again is listed', async () => {
    const lists = new Map<string, number>();
    const cache = startCache({
      timing: { backoffMaxMs: 20_000 },
      onListWatchStart({ resource, kind }) {
        if (kind === 'list') {
          lists.set(resource.plural, (lists.get(resource.plural) ?? 0) + 1);
        }
      },
    });
    await waitFor(isReady(cache));
    lists.clear();
    await link.down();
    // After six failures in a row, the resources wait for different times of about a second.
    const resources = Object.keys(cache.states()).length;
    await waitFor(
      () => lists.size === resources && Math.min(...lists.values()) > 6,
    );
    expect(cache.state().state).toBe('unreachable');
    const states: string[] = [];
    cache.onStateChange(() => states.push(cache.state().state));

    testHub.clearRequests();
    await link.up();
    await waitFor(() => requests('list', 'managedclusters') > 0);
    await waitFor(isReady(cache));
    const again = states.indexOf('starting');
    expect(again).toBeGreaterThanOrEqual(0);
    expect(states.slice(again)).not.toContain('unreachable');
  });

  it('waits for a kubeconfig that does not exist yet, and uses its new address when it changes', async () => {
    const path = join(folder, 'later');
    const cache = startCache({ path });
    await waitFor(() => cache.state().state === 'unreachable');
    expect(cache.state().message).toContain(path);

    await writeFile(path, await readFile(kubeconfigPath, 'utf8'));
    await waitFor(isReady(cache));

    await writeFile(path, await readFile(testHub.kubeconfigPath, 'utf8'));
    await link.down();
    try {
      await testHub.admin.create('clusters', managedCluster('moved'));
      await waitFor(() => cache.clusters.get('moved'));
    } finally {
      await link.up();
    }
  });
});
