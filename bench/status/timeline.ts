// Query time of long timelines, and memory of their writer: timeline.ts FOLDER; run with --expose-gc.
import { join } from 'node:path';
import createKnex, { type Knex } from 'knex';
import {
  findPostgres,
  startPostgres,
} from '../../e2e-tests/src/takeover/postgres';
import { createResourceSync } from '../../plugins/argocd-fleet-backend/src/controllers/resourceSync/resourceSync';
import {
  fleetDatabaseOn,
  type FleetDatabase,
} from '../../plugins/argocd-fleet-backend/src/database/fleetDatabase';
import type { FleetReader } from '../../plugins/argocd-fleet-backend/src/fleet/fleetReader';
import type { FleetCache } from '../../plugins/argocd-fleet-backend/src/fleet/fleetCache';
import {
  applicationRecord,
  recordChange,
} from '../../plugins/argocd-fleet-backend/src/model/status/applicationRecord';
import { heapUsed } from '../controllers/usage';

const [folder] = process.argv.slice(2);
const MIGRATIONS = 'plugins/argocd-fleet-backend/migrations';

const HUB = 'bench';
const NAMESPACE = 'openshift-gitops';
const SETS = 100;
const CLUSTERS = 500;
/** Transitions of each of the {@link SETS} × {@link CLUSTERS} Applications. */
const TRANSITIONS = 20;
const DAY_MS = 86_400_000;
const BATCH = 100;
const QUERIES = 200;

/** Duration of sequential queries, in milliseconds. */
interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

const nameOf = (set: number, cluster: number) => `cluster${cluster}-set${set}`;

/** Records every Application once, as the controller does. Returns the durations of the batches. */
async function fillApplications({ records }: FleetDatabase): Promise<Latency> {
  const epoch = await records.takeOver(HUB);
  const tookMs: number[] = [];
  for (let set = 0; set < SETS; set += 1) {
    for (let first = 0; first < CLUSTERS; first += BATCH) {
      const changes = Array.from({ length: BATCH }, (_, index) => {
        const name = nameOf(set, first + index);
        const record = applicationRecord(
          {
            application: { namespace: NAMESPACE, name },
            cluster: {
              name: `cluster${first + index}`,
              available: 'True',
              stale: false,
            },
            ...{
              deliveryModel: 'pull',
              health: 'Healthy',
              sync: 'Synced',
              state: 'ok',
              wanted: ['main'],
            },
            ...{ phase: 'Succeeded', revision: '5'.repeat(40) },
            ...{ conditions: [], steps: [] },
            resources: ['Service', 'Deployment', 'ConfigMap'].map(kind => ({
              ...{ kind, name: 'guestbook', namespace: 'guestbook' },
              ...{ version: 'v1', sync: 'Synced', health: 'Healthy' },
            })),
          },
          `set${set}`,
        );
        const now = Date.now() - 90 * DAY_MS;
        const change = recordChange(record, undefined, now);
        return { namespace: NAMESPACE, name, change, recordedAt: now };
      });
      const begun = performance.now();
      await records.record(HUB, epoch, changes);
      tookMs.push(performance.now() - begun);
    }
  }
  return latency(tookMs);
}

/** Adds the later transitions, round by round, each over four days. */
async function fillTransitions(knex: Knex) {
  const from = Date.now() - 89 * DAY_MS;
  for (let sequence = 2; sequence <= TRANSITIONS; sequence += 1) {
    const begun = from + (sequence - 2) * 4 * DAY_MS;
    const failed = sequence % 2 === 0;
    await knex.raw(
      `insert into fleet_transitions
         (application_id, sequence, at, recorded_at, health, sync, phase,
          revision, error, hub, cluster, namespace, application_set)
       select id, ${sequence}, ${begun} + (id * 7919) % ${4 * DAY_MS},
          ${begun} + (id * 7919) % ${4 * DAY_MS},
          '${failed ? 'Degraded' : 'Healthy'}', 'Synced', phase, revision,
          ${failed ? `'Deployment "guestbook" exceeded its progress deadline after ' || (id * 31) % 600 || ' s: containers with unready status'` : 'null'},
          hub, cluster, namespace, application_set
       from fleet_applications order by (id * 7919) % ${4 * DAY_MS}`,
    );
  }
  await knex.raw('analyze');
}

/** Queries the first two pages of many timelines of a kind. */
async function measure(
  { timelines }: FleetDatabase,
  kind: Parameters<FleetDatabase['timelines']['transitions']>[0]['kind'],
  nameAt: (index: number) => string,
): Promise<Latency> {
  const tookMs: number[] = [];
  for (let index = 0; index < QUERIES; index += 1) {
    const name = nameAt(index * 7_919);
    const of = { kind, ref: { hub: HUB, namespace: NAMESPACE, name } };
    let before: string | undefined;
    for (let page = 0; page < 2; page += 1) {
      const begun = performance.now();
      const { items, next } = await timelines.transitions(of, {
        limit: 100,
        before,
      });
      tookMs.push(performance.now() - begun);
      if (page === 0 && items.length < Math.min(100, TRANSITIONS)) {
        throw new Error(`${kind} ${name} has only ${items.length} transitions`);
      }
      before = next;
      if (!before) {
        break;
      }
    }
  }
  return latency(tookMs);
}

/** Memory of the controller per recorded Application, in bytes. */
async function heapPerRow({ records }: FleetDatabase): Promise<number> {
  const before = heapUsed();
  const controller = createResourceSync({
    // Neither is used before a reconcile.
    cache: { hub: HUB } as FleetCache,
    reader: {} as FleetReader,
    records,
  });
  await controller.hubChecks?.prepare?.({
    signal: new AbortController().signal,
    logger: console as never,
  });
  const after = heapUsed();
  // This use keeps the controller from being collected before the heap is measured.
  if (controller.name !== 'resourceSync') {
    throw new Error('The measured controller is not resourceSync');
  }
  return (after - before) / (SETS * CLUSTERS);
}

async function measureOn(config: Knex.Config) {
  const knex = createKnex(config);
  try {
    await knex.migrate.latest({ directory: MIGRATIONS });
    const database = fleetDatabaseOn(knex);
    const batch = await fillApplications(database);
    await fillTransitions(knex);
    const heapBytesPerRow = await heapPerRow(database);
    const [counted] = await knex('fleet_transitions').count({ count: '*' });
    const set = (index: number) => index % SETS;
    const cluster = (index: number) => index % CLUSTERS;
    return {
      transitions: Number(counted.count),
      batch,
      heapBytesPerRow,
      timelines: {
        application: await measure(database, 'application', index =>
          nameOf(set(index), cluster(index)),
        ),
        applicationSet: await measure(
          database,
          'applicationSet',
          index => `set${set(index)}`,
        ),
        cluster: await measure(
          database,
          'cluster',
          index => `cluster${cluster(index)}`,
        ),
      },
    };
  } finally {
    await knex.destroy();
  }
}

function latency(tookMs: readonly number[]): Latency {
  const sorted = [...tookMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)];
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

async function main() {
  const sqlite = await measureOn({
    client: 'better-sqlite3',
    connection: { filename: join(folder, 'timeline.sqlite') },
    useNullAsDefault: true,
  });
  const programs = findPostgres();
  let postgres: typeof sqlite | undefined;
  if (programs) {
    const server = await startPostgres(programs);
    try {
      const { host, port, user } = server;
      postgres = await measureOn({
        client: 'pg',
        connection: { host, port, user, database: user },
      });
    } finally {
      await server.stop();
    }
  }
  process.send?.({ bench: { sqlite, postgres } });
  process.disconnect?.();
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
