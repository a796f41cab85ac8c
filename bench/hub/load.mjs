// What a fleet and its controllers do to a hub.
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

/** Every object of a resource, page by page as informers read it; only what the load needs is kept. */
export async function listAll(hub, path, keep) {
  const kept = [];
  let token = '';
  do {
    const page = await call(
      hub,
      'GET',
      `${path}?limit=500${token && `&continue=${encodeURIComponent(token)}`}`,
    );
    kept.push(...page.items.map(keep));
    token = page.metadata.continue ?? '';
    if (!token) {
      return { kept, resourceVersion: page.metadata.resourceVersion };
    }
  } while (true);
}

/** Follows a resource as a controller does; counts events. */
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
 * Changes clusters at an even pace: what a changed cluster means is one write of its own status and, for each of its
 * Applications, one of the work's status by the agent and one of the hub Application's by the controller.
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
    const early = due - performance.now();
    if (early > 1) {
      await new Promise(resolve => setTimeout(resolve, early));
    }
    const begun = performance.now();
    running.push(
      job().then(() => {
        worst = Math.max(worst, performance.now() - begun);
      }),
    );
  }
  await Promise.all(running);
  const took = (performance.now() - started) / 1000;
  return {
    clusters: Math.ceil(writes),
    writes: jobs.length,
    seconds: Math.round(took * 10) / 10,
    writesPerSecond: Math.round(jobs.length / took),
    slowestWriteMs: Math.round(worst),
  };
}

function changeCluster(hub, cluster) {
  return merge(hub, `${PATHS.clusters}/${cluster}/status`, {
    status: { capacity: { cpu: '8', memory: `${30 + (Date.now() % 9)}Gi` } },
  });
}

async function changeWork(hub, cluster, { work, turn }) {
  const path = `${WORK}/namespaces/${cluster}/manifestworks/${work}`;
  const { status } = await call(hub, 'GET', path);
  const time = new Date().toISOString().slice(0, 19);
  const health = turn % 2 ? 'Healthy' : 'Progressing';
  const news = JSON.parse(
    JSON.stringify(status)
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, time)
      .replace(/Healthy|Progressing/g, health),
  );
  await merge(hub, `${path}/status`, { status: news });
}

async function changeApplication(hub, pair) {
  pair.turn += 1;
  await merge(
    hub,
    `${ARGO}/namespaces/${NAMESPACE}/applications/${pair.application}`,
    {
      status: {
        health: { status: pair.turn % 2 ? 'Progressing' : 'Healthy' },
        operationState: {
          startedAt: `${new Date().toISOString().slice(0, 19)}Z`,
        },
      },
    },
  );
}

/** Creates copies of an Application, several at once. */
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

/** How long a request takes, answer read; the median of several. */
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
