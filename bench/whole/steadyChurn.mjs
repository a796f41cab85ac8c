// A large fleet in steady churn, and what a start costs.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { countRequests } from './auditLog.mjs';
import { startProductionBackend } from './productionBackend.mjs';
import { measureAll, startLoad, startRealHub, untilQuiet } from './realHub.mjs';
import { log, percentile } from '../figures.mjs';
import { start } from '../processes.mjs';

const PAGES = 5;
const SAMPLE_MS = 10_000;
const RECORDED_MS = 5_000;

/** Waits until nothing is recorded any more: a first start goes on with that long after the hub is quiet. */
async function untilRecorded({ database: path }) {
  const database = new Database(path, { readonly: true });
  try {
    const newest = database.prepare(
      'select count(*) as rows, max(updated_at) as at from fleet_applications',
    );
    let before;
    for (;;) {
      const { rows, at } = newest.get();
      const now = `${rows} ${at}`;
      if (rows > 0 && now === before) {
        return;
      }
      before = now;
      await setTimeout(RECORDED_MS);
    }
  } finally {
    database.close();
  }
}

/** Changes 1 % of the clusters a minute while pages are open. */
async function measureChurn({ load, audit, backend }, { clusters, seconds }) {
  const perMinute = Math.max(1, Math.round(clusters / 100));
  log(
    `${perMinute} of ${clusters} clusters change each minute, for ${seconds} s, with ${PAGES} open pages`,
  );
  const pages = start('whole/pages.ts', [
    backend.url,
    backend.token,
    String(PAGES),
  ]);
  await pages.message();
  try {
    // Once before, so that what is made only once (views, pages) does not count.
    await load.order('churn', perMinute, 15);
    await untilQuiet(audit);
    await untilRecorded(backend);
    const before = await backend.collect();
    await pages.request('figures');
    await audit.read();
    const measured = await measureAll(load);
    const startedAt = performance.now();
    const samples = [];
    let ended = false;
    const churning = load.order('churn', perMinute, seconds).then(changed => {
      ended = true;
      return changed;
    });
    while (!ended) {
      await Promise.race([churning, setTimeout(SAMPLE_MS)]);
      samples.push(await backend.figures());
    }
    const elapsedMs = performance.now() - startedAt;
    const { machine, cpuMs: hubCpuMs } = await measured();
    const { loads, errors, loadMs, rows } = await pages.request('figures');
    const requests = countRequests(await audit.read());
    await untilQuiet(audit);
    const heapAfter = (await backend.collect()).heap;
    // Once more, since a profile takes CPU time of its own.
    const profiled = await backend.profile();
    await load.order('churn', perMinute, seconds);
    const turns = await profiled();
    const most = of => Math.max(...samples.map(of));
    const cpuMs = samples.reduce((sum, sample) => sum + sample.cpuMs, 0);
    return {
      clusters,
      seconds: elapsedMs / 1000,
      ...(await churning),
      share: cpuMs / elapsedMs,
      hubCpuMs,
      machine: {
        ...machine,
        others: Math.max(0, machine.others - cpuMs / elapsedMs / 2),
      },
      lateMs: {
        max: most(({ lateMs }) => lateMs.max),
        p99: most(({ lateMs }) => lateMs.p99),
      },
      longestTurnMs: most(({ longestTurnMs }) => longestTurnMs),
      turns,
      heap: { before: before.heap, after: heapAfter },
      rss: samples.map(({ rss }) => rss),
      pages: {
        ...{ loads, errors, rows },
        medianMs: percentile(
          loadMs.sort((a, b) => a - b),
          0.5,
        ),
      },
      requests,
    };
  } finally {
    await pages.stop();
  }
}

/** Steady churn on a real hub, and what works, statuses and reports cost this hub. */
export async function churnOnRealHub({
  folder,
  clusters,
  applicationSets,
  seconds,
}) {
  log('Starting etcd and kube-apiserver');
  const hub = await startRealHub({ clusters, applicationSets });
  const { load, audit } = hub;
  let backend;
  try {
    log(
      `Creating ${clusters * applicationSets} Applications, with works and statuses, on ${clusters} clusters`,
    );
    await load.order('prepare');
    const before = await load.order('hubBytes');
    await load.order('authorise');
    await load.order('reportedWorks');
    backend = await startProductionBackend({
      folder: join(folder, 'backend-churn'),
      kubeconfig: hub.kubeconfig,
    });
    await setTimeout(5_000);
    await untilQuiet(audit);
    const hubBytes = { before, after: await load.order('hubBytes') };
    return {
      applicationSets,
      hubBytes,
      ...(await measureChurn({ load, audit, backend }, { clusters, seconds })),
    };
  } finally {
    await backend?.stop();
    await hub.stop();
  }
}

/** Starts an embedded hub; `audit` has the product's requests as that of a real hub has. */
async function startEmbeddedHub(folder, snapshot) {
  const kubeconfig = join(folder, 'kubeconfig');
  const child = start(
    'controllers/benchHub.ts',
    snapshot ? [kubeconfig, snapshot] : [kubeconfig],
    ['--max-old-space-size=8000', '--no-memory-reducer'],
  );
  await child.message();
  return {
    kubeconfig,
    audit: {
      async read() {
        const counts = await child.request('requests');
        return Object.entries(counts).flatMap(([kind, count]) => {
          const [verb, ...resource] = kind.split(' ');
          return Array.from({ length: count }, () => ({
            at: Date.now(),
            verb,
            resource: resource.join('/'),
          }));
        });
      },
    },
    stop: () => child.stop(),
  };
}

async function startFigures(backend) {
  const ready = await backend.figures();
  const answers = await backend.answers;
  const synced = backend.answers && (await backend.figures());
  const { heap } = await backend.collect();
  return {
    readyMs: backend.readyMs,
    ...answers,
    cpuMs: ready.cpuMs + (synced?.cpuMs ?? 0),
    mostRss: Math.max(ready.mostRss, synced?.mostRss ?? 0),
    heap,
  };
}

/** What a production start costs: without this repository's plugins, on an empty hub, and on one with a fleet. */
async function measureEmptyStarts(folder) {
  log('Starts on an empty hub');
  const hub = await startEmbeddedHub(folder);
  const figures = {};
  try {
    for (const [name, withoutFleet] of [
      ['withoutFleet', true],
      ['empty', false],
    ]) {
      const options = {
        folder: join(folder, `backend-${name}`),
        ...{ kubeconfig: hub.kubeconfig, withoutFleet },
      };
      // The first start creates the databases.
      for (let times = 0; times < 2; times += 1) {
        const backend = await startProductionBackend(options);
        try {
          figures[name] = await startFigures(backend);
        } finally {
          await backend.stop();
        }
      }
    }
  } finally {
    await hub.stop();
  }
  return figures;
}

/** Measures on embedded hubs what `parts` names: start, churn. */
export async function measureOnEmbeddedHub({
  folder,
  clusters,
  applicationSets,
  seconds,
  seed,
  parts,
}) {
  const starts = parts.includes('start')
    ? await measureEmptyStarts(folder)
    : undefined;
  log(`A generated fleet of ${clusters} clusters × ${applicationSets}`);
  const snapshot = join(folder, 'fleet.ndjson.gz');
  await start(
    'makeSnapshot.ts',
    [snapshot, clusters, applicationSets, seed].map(String),
  ).message();
  const hub = await startEmbeddedHub(folder, snapshot);
  rmSync(snapshot);
  const { audit, kubeconfig } = hub;
  let backend;
  let load;
  try {
    const options = { folder: join(folder, 'backend-fleet'), kubeconfig };
    log('The first start records the whole fleet');
    backend = await startProductionBackend(options);
    const first = await startFigures(backend);
    await untilQuiet(audit);
    if (starts) {
      const afterFirst = await backend.collect();
      await backend.stop();
      log('A later start');
      backend = await startProductionBackend(options);
      starts.fleet = await startFigures(backend);
      await untilQuiet(audit);
      const collected = await backend.collect();
      Object.assign(starts, {
        first: { ...first, heapAtRest: afterFirst.heap },
      });
      starts.fleet.heapAtRest = collected.heap;
    }
    let churn;
    if (parts.includes('churn')) {
      load = await startLoad({ kubeconfig, clusters, applicationSets });
      churn = await measureChurn(
        { load, audit, backend },
        { clusters, seconds },
      );
    }
    return { applications: clusters * applicationSets, starts, churn };
  } finally {
    await backend?.stop();
    await load?.stop();
    await hub.stop();
  }
}
