// Measures the embedded hub with a large fleet. See README.md.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { log } from './figures.mjs';
import {
  call,
  churn,
  createMany,
  latency,
  listAll,
  NAMESPACE,
  PATHS,
  watch,
} from './hub/load.mjs';
import { start } from './hub/processes.mjs';

const HUB_APPLICATION = 'apps.open-cluster-management.io/hub-application-name';

const mib = bytes => Math.round(bytes / 1024 / 1024);

async function makeSnapshot(file, { clusters, applicationSets, seed }) {
  log(`Generating ${clusters} clusters × ${applicationSets} ApplicationSets`);
  const started = performance.now();
  const child = start(
    'makeSnapshot.ts',
    [file, clusters, applicationSets, seed].map(String),
  );
  const { written, rss } = await child.message();
  return {
    objects: written.objects,
    fileMiB: mib(statSync(file).size),
    seconds: Math.round((performance.now() - started) / 100) / 10,
    generatorPeakRssMiB: Math.round(rss / 1024),
  };
}

async function startHub(args) {
  const started = performance.now();
  // The same options as in `npm run hub`.
  const child = start('measuredHub.ts', args, ['--no-memory-reducer']);
  const ready = await child.message();
  const spawnMs = Math.round(performance.now() - started);
  return { child, ready: { ...ready, spawnMs } };
}

async function emptyHub() {
  log('Starting a hub without a snapshot');
  const { child, ready } = await startHub([]);
  try {
    const createsPerSecond = await createsOnEmptyHub(ready.url);
    return {
      startMs: ready.startMs,
      processStartMs: ready.spawnMs,
      rssMiB: ready.rssMiB,
      createsPerSecond,
    };
  } finally {
    await child.stop();
  }
}

async function createsOnEmptyHub(url) {
  await call(url, 'POST', '/api/v1/namespaces', {
    metadata: { name: NAMESPACE },
  });
  await call(
    url,
    'POST',
    `/apis/argoproj.io/v1alpha1/namespaces/${NAMESPACE}/applications`,
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'first' },
      spec: {
        project: 'default',
        source: { repoURL: 'https://git.example.com/a.git', path: 'a' },
        destination: { server: 'https://kubernetes.default.svc' },
      },
    },
  );
  return createMany(url, 2000, 8);
}

/** Names of the objects that the load changes. */
async function readFleet(url) {
  const works = await listAll(url, PATHS.works, ({ metadata }) => ({
    cluster: metadata.namespace,
    work: metadata.name,
    application: metadata.annotations[HUB_APPLICATION],
    changes: 0,
  }));
  const applications = await listAll(url, PATHS.applications, () => 1);
  const pairs = Map.groupBy(works.items, ({ cluster }) => cluster);
  return {
    // By the end of their names, which spreads the changes over the fleet.
    clusters: [...pairs.keys()].sort((a, b) =>
      a.slice(-3) < b.slice(-3) ? -1 : 1,
    ),
    pairs,
    next: 0,
    applications: applications.items.length,
    works: works.items.length,
    revisions: [works.resourceVersion, applications.resourceVersion],
  };
}

async function loadedHub(file, options) {
  log('Starting a hub from the snapshot');
  const { child, ready } = await startHub([file]);
  try {
    const { url } = ready;
    const result = { start: { ...ready, url: undefined } };
    log('Reading everything page by page, as informers do');
    const readingStarted = performance.now();
    const fleet = await readFleet(url);
    result.reading = {
      seconds: Math.round((performance.now() - readingStarted) / 100) / 10,
      applications: fleet.applications,
      works: fleet.works,
      ...(await child.request('figures')),
    };
    const watches = [
      await watch(url, PATHS.works, fleet.revisions[0]),
      await watch(url, PATHS.applications, fleet.revisions[1]),
    ];
    const clustersPerMinute = Math.ceil(fleet.clusters.length / 100);
    for (const [name, pace, seconds] of [
      ['churn', 1, options.seconds],
      ['churnTenfold', 10, options.seconds / 2],
    ]) {
      log(
        `Changing ${clustersPerMinute * pace} clusters a minute for ${seconds} s`,
      );
      const changed = await churn(url, fleet, {
        clustersPerMinute: clustersPerMinute * pace,
        seconds,
      });
      result[name] = { ...changed, ...(await child.request('figures')) };
    }
    result.watchEvents = watches.map(({ counted }) => counted.events);
    await Promise.all(watches.map(each => each.stop()));
    log('Measuring lists and creates');
    const cluster = fleet.clusters[0];
    result.lists = {
      'one work by cluster': await latency(
        url,
        PATHS.works.replace(
          '/manifestworks',
          `/namespaces/${cluster}/manifestworks`,
        ),
        20,
      ),
      'page of 500 works': await latency(url, `${PATHS.works}?limit=500`, 10),
      'works by label': await latency(
        url,
        `${PATHS.works}?labelSelector=${encodeURIComponent('nobody/has=this')}`,
        10,
      ),
      'all works': await latency(url, PATHS.works, 3),
      'all applications': await latency(url, PATHS.applications, 3),
    };
    result.listing = await child.request('figures');
    result.createsPerSecond = await createMany(url, 2000, 8);
    result.creating = await child.request('figures');
    log('Saving a snapshot while it serves');
    result.saving = await child.request({ save: `${file}.saved.gz` });
    return result;
  } finally {
    await child.stop();
  }
}

function print(title, rows) {
  console.log(`\n${title}`);
  console.table(rows);
}

const EVENT_LOOP_LIMIT_MS = 200;

/** Runs the benchmark with a snapshot in `directory`; returns the figures. */
export async function benchHub({
  directory,
  clusters,
  applicationSets,
  seconds,
  seed,
}) {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'fleet.ndjson.gz');
  const empty = await emptyHub();
  const snapshot = await makeSnapshot(file, {
    clusters,
    applicationSets,
    seed,
  });
  const loaded = await loadedHub(file, { seconds });
  const phases = [
    'reading',
    'churn',
    'churnTenfold',
    'listing',
    'creating',
    'saving',
  ];
  print('Start', {
    'without snapshot (ms)': { value: empty.startMs },
    'without snapshot, process and all (ms)': { value: empty.processStartMs },
    'objects in the snapshot': { value: snapshot.objects },
    'snapshot (MiB, compressed)': { value: snapshot.fileMiB },
    'generating the snapshot (s)': { value: snapshot.seconds },
    'from the snapshot (ms)': { value: loaded.start.startMs },
    'RSS when ready (MiB)': { value: loaded.start.rssMiB },
    'peak RSS when ready (MiB)': { value: loaded.start.peakRssMiB },
    'creates a second, empty hub': { value: empty.createsPerSecond },
    'creates a second, full hub': { value: loaded.createsPerSecond },
  });
  print(
    'Event loop and memory of the hub (delays in ms, including 10 ms of timer resolution; maxOwnCpu: most CPU time between two timers)',
    Object.fromEntries(
      phases.map(phase => {
        const { delayMs, rssMiB, peakRssMiB, writesPerSecond } = loaded[phase];
        return [
          phase,
          {
            ...delayMs,
            rssMiB,
            peakRssMiB,
            ...(writesPerSecond && { writesPerSecond }),
          },
        ];
      }),
    ),
  );
  print('Lists (median)', loaded.lists);
  const { max, maxOwnCpu } = loaded.churn.delayMs;
  console.log(
    `\nWhile 1 % of the clusters changed each minute, the event loop was delayed by at most ${max} ms, with at most ${maxOwnCpu} ms of the hub's own CPU time between two timers (limit ${EVENT_LOOP_LIMIT_MS}).`,
  );
  return { clusters, applicationSets, seed, empty, snapshot, loaded };
}
