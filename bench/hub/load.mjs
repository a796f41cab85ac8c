// The load of a fleet and its controllers on a hub.
import { setTimeout } from 'node:timers/promises';

const ARGO = '/apis/argoproj.io/v1alpha1';
const WORK = '/apis/work.open-cluster-management.io/v1';
const CLUSTER = '/apis/cluster.open-cluster-management.io/v1';
export const NAMESPACE = 'openshift-gitops';
export const PATHS = {
  applications: `${ARGO}/applications`,
  works: `${WORK}/manifestworks`,
  clusters: `${CLUSTER}/managedclusters`,
};

export async function call(hub, method, path, body, type) {
  const response = await fetch(`${hub}${path}`, {
    method,
    headers: { 'content-type': type ?? 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${text}`);
  }
  return JSON.parse(text);
}

const merge = (hub, path, body) =>
  call(hub, 'PATCH', path, body, 'application/merge-patch+json');

/** Lists a resource page by page as informers do; returns `convert` of every object. */
export async function listAll(hub, path, convert) {
  const items = [];
  let token = '';
  do {
    const page = await call(
      hub,
      'GET',
      `${path}?limit=500${token && `&continue=${encodeURIComponent(token)}`}`,
    );
    items.push(...page.items.map(convert));
    token = page.metadata.continue ?? '';
    if (!token) {
      return { items, resourceVersion: page.metadata.resourceVersion };
    }
  } while (true);
}

/** Watches a resource as a controller does, and counts events. */
export async function watch(hub, path, resourceVersion) {
  const abort = new AbortController();
  const response = await fetch(
    `${hub}${path}?watch=1&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`,
    { signal: abort.signal },
  );
  const counted = { events: 0 };
  const done = (async () => {
    for await (const chunk of response.body) {
      for (const byte of chunk) {
        if (byte === 10) {
          counted.events += 1;
        }
      }
    }
  })().catch(error => {
    if (!abort.signal.aborted) {
      throw error;
    }
  });
  return {
    counted,
    async stop() {
      abort.abort();
      await done;
    },
  };
}

/**
 * Changes clusters at an even pace. A changed cluster is one write of its own status and, for each of its Applications,
 * one write of the work's status by the agent and one of the hub Application's status by the controller.
 */
export async function churn(hub, fleet, { clustersPerMinute, seconds }) {
  const writes = clustersPerMinute * (seconds / 60);
  const jobs = [];
  for (let i = 0; i < Math.ceil(writes); i++) {
    const cluster = fleet.clusters[(fleet.next + i) % fleet.clusters.length];
    jobs.push(() => changeCluster(hub, cluster));
    for (const pair of fleet.pairs.get(cluster) ?? []) {
      jobs.push(() => changeWork(hub, cluster, pair));
      jobs.push(() => changeApplication(hub, pair));
    }
  }
  fleet.next += Math.ceil(writes);
  const started = performance.now();
  const interval = (seconds * 1000) / jobs.length;
  let worst = 0;
  const running = [];
  for (const [index, job] of jobs.entries()) {
    const due = started + index * interval;
    const waitMs = due - performance.now();
    if (waitMs > 1) {
      await setTimeout(waitMs);
    }
    const sent = performance.now();
    running.push(
      job().then(() => {
        worst = Math.max(worst, performance.now() - sent);
      }),
    );
  }
  await Promise.all(running);
  const elapsed = (performance.now() - started) / 1000;
  return {
    clusters: Math.ceil(writes),
    writes: jobs.length,
    seconds: Math.round(elapsed * 10) / 10,
    writesPerSecond: Math.round(jobs.length / elapsed),
    slowestWriteMs: Math.round(worst),
  };
}

function changeCluster(hub, cluster) {
  return merge(hub, `${PATHS.clusters}/${cluster}/status`, {
    status: { capacity: { cpu: '8', memory: `${30 + (Date.now() % 9)}Gi` } },
  });
}

async function changeWork(hub, cluster, { work, changes }) {
  const path = `${WORK}/namespaces/${cluster}/manifestworks/${work}`;
  const { status } = await call(hub, 'GET', path);
  const time = new Date().toISOString().slice(0, 19);
  const health = changes % 2 ? 'Healthy' : 'Progressing';
  const newStatus = JSON.parse(
    JSON.stringify(status)
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, time)
      .replace(/Healthy|Progressing/g, health),
  );
  await merge(hub, `${path}/status`, { status: newStatus });
}

async function changeApplication(hub, pair) {
  pair.changes += 1;
  await merge(
    hub,
    `${ARGO}/namespaces/${NAMESPACE}/applications/${pair.application}`,
    {
      status: {
        health: { status: pair.changes % 2 ? 'Progressing' : 'Healthy' },
        operationState: {
          startedAt: `${new Date().toISOString().slice(0, 19)}Z`,
        },
      },
    },
  );
}

/** Creates copies of an Application, `concurrency` at a time; returns the rate per second. */
export async function createMany(hub, count, concurrency) {
  const path = `${ARGO}/namespaces/${NAMESPACE}/applications`;
  const { items } = await call(hub, 'GET', `${path}?limit=1`);
  const [{ apiVersion, kind, metadata, spec }] = items;
  const { labels, annotations, finalizers } = metadata;
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) {
        next += 1;
        const name = `created-${next}`;
        await call(hub, 'POST', path, {
          apiVersion,
          kind,
          metadata: { name, labels, annotations, finalizers },
          spec,
        });
      }
    }),
  );
  return Math.round(count / ((performance.now() - started) / 1000));
}

/** The median time of a request until its answer is read. */
export async function latency(hub, path, times) {
  const taken = [];
  let bytes = 0;
  for (let i = 0; i < times; i++) {
    const started = performance.now();
    const response = await fetch(`${hub}${path}`);
    bytes = (await response.arrayBuffer()).byteLength;
    taken.push(performance.now() - started);
  }
  taken.sort((a, b) => a - b);
  return {
    ms: Math.round(taken[Math.floor(times / 2)] * 10) / 10,
    KiB: Math.round(bytes / 1024),
  };
}
