import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { startEmbeddedHub } from 'embedded-hub';
import createKnex, { type Knex } from 'knex';
import { clientOf, adminClientWith } from '../../../__testUtils__/hubFixture';
import { numberOfCases } from '../../../__testUtils__/randomCases';
import { waitFor } from '../../../__testUtils__/waitFor';
import { MIGRATIONS } from '../../../database/__testUtils__/testDatabase';
import { createRandom } from './churn';
import { compileKillable } from './killableProcess';

/** A transition that the database acknowledged to its writer. */
interface Acknowledged {
  readonly name: string;
  readonly sequence: number;
  readonly error?: string;
}

const NAMESPACE = 'default';
const NAMES = Array.from({ length: 30 }, (_, index) => `app-${index}`);
const CHANGES_AT_ONCE = 12;
/** Number of kills. */
export const KILLS = numberOfCases({ test: 4, long: 20 });

/**
 * Changes Applications of a hub, each time to a new state, while their recorder is killed again and again. Returns the
 * acknowledged transitions, and the recorded ones once the database agrees with the hub.
 */
export async function recordWithKills(
  database: Knex.Config,
  seed: number,
): Promise<{
  readonly acknowledged: readonly Acknowledged[];
  readonly recorded: readonly Acknowledged[];
}> {
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-kills-'));
  const kubeconfigPath = join(folder, 'kubeconfig');
  const hub = await startEmbeddedHub({ kubeconfigPath });
  const client = clientOf(kubeconfigPath);
  const admin = adminClientWith(client);
  const knex = createKnex(database);
  await knex.migrate.latest(MIGRATIONS);
  await Promise.all(
    NAMES.map(name =>
      admin.create('applications', {
        ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
        metadata: { name, namespace: NAMESPACE },
        spec: { project: 'default', destination: { name: 'edge' } },
      } as KubernetesObject),
    ),
  );
  const acknowledged: Acknowledged[] = [];
  const program = await compileKillable('recordingProcess.ts');
  const load = () =>
    program.load([kubeconfigPath, JSON.stringify(database)], message =>
      acknowledged.push(
        (message as { acknowledged: Acknowledged }).acknowledged,
      ),
    );

  const latest = new Map<string, string>();
  let count = 0;
  let changing = true;
  async function changeOne() {
    count += 1;
    const name = NAMES[count % NAMES.length];
    const error = `change ${count}`;
    const health = { status: random() < 0.5 ? 'Degraded' : 'Healthy' };
    const conditions = [{ type: 'SyncError', message: error }];
    latest.set(name, error);
    await admin.patch(
      'applications',
      { namespace: NAMESPACE, name },
      { status: { health, conditions } },
    );
  }

  async function change() {
    while (changing) {
      await Promise.all(Array.from({ length: CHANGES_AT_ONCE }, changeOne));
      // Leaves the processor to the recorder, which records faster then.
      await pause(50);
    }
  }

  const rowsOf = () =>
    knex('fleet_transitions as t')
      .join('fleet_applications as a', 'a.id', 't.application_id')
      .orderBy('t.sequence')
      .select('a.name', 't.sequence', 't.error');

  try {
    let loading = load();
    const changes = change();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const recording = await loading;
      loading = load();
      recording.begin();
      // It must record before it is killed, or no kill would interrupt a write.
      const enough = acknowledged.length + 10 + Math.floor(random() * 90);
      await waitFor(() => acknowledged.length >= enough);
      // At any moment between two acknowledgements.
      await pause(random() * 20);
      await recording.kill();
    }
    changing = false;
    await changes;
    const last = await loading;
    last.begin();
    const recorded = await waitFor(async () => {
      const rows: Acknowledged[] = (await rowsOf()).map(row => ({
        name: row.name,
        sequence: Number(row.sequence),
        error: row.error ?? undefined,
      }));
      const now = new Map(rows.map(({ name, error }) => [name, error]));
      return NAMES.every(name => now.get(name) === latest.get(name)) && rows;
    });
    await last.kill();
    return { acknowledged, recorded };
  } finally {
    changing = false;
    await program.remove();
    await knex.destroy();
    await client.close();
    await hub.stop();
    await rm(folder, { recursive: true });
  }
}

/** Lost and duplicate transitions, and Applications whose sequence numbers do not run from 1 without gaps. */
export function recordingErrors({
  acknowledged,
  recorded,
}: Awaited<ReturnType<typeof recordWithKills>>) {
  const stored = new Set(recorded.map(each => JSON.stringify(each)));
  const errors = recorded.map(({ error }) => error);
  const numbersOf = (of: string) =>
    recorded.filter(({ name }) => name === of).map(({ sequence }) => sequence);
  return {
    lost: acknowledged.filter(each => !stored.has(JSON.stringify(each))),
    // Each change has its own error text.
    twice: errors.filter((error, at) => errors.indexOf(error) !== at),
    misnumbered: NAMES.filter(name =>
      numbersOf(name).some((sequence, at) => sequence !== at + 1),
    ),
  };
}
