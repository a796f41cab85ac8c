import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { startEmbeddedHub } from 'embedded-hub';
import createKnex, { type Knex } from 'knex';
import { clientOf, somebodyWith } from '../../../__testUtils__/hubFixture';
import { waitFor } from '../../../__testUtils__/waitFor';
import { MIGRATIONS } from '../../../database/__testUtils__/testDatabase';
import { diceOf } from './churn';
import { loadMortal } from './mortalControllers';

/** A transition as its writer was told that it is stored. */
interface Acknowledged {
  readonly name: string;
  readonly sequence: number;
  readonly error?: string;
}

const NAMESPACE = 'default';
const NAMES = Array.from({ length: 30 }, (_, index) => `app-${index}`);
const CHANGES_AT_ONCE = 12;
/** A kill comes at any time within so many milliseconds, in which some hundred transactions are made. */
const LATEST = 600;

/** How often whoever records is killed. */
export const KILLS = 20;

/**
 * Changes Applications of a hub, each time to something that never was, while whoever records them is killed again and again. Answers with
 * what the database has when it says the same as the hub, and what was acknowledged.
 */
export async function killRecording(
  database: Knex.Config,
  seed: number,
): Promise<{
  readonly acknowledged: readonly Acknowledged[];
  readonly recorded: readonly Acknowledged[];
}> {
  const dice = diceOf(seed);
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-kills-'));
  const kubeconfigPath = join(folder, 'kubeconfig');
  const hub = await startEmbeddedHub({ kubeconfigPath });
  const client = clientOf(kubeconfigPath);
  const somebody = somebodyWith(client);
  const knex = createKnex(database);
  await knex.migrate.latest(MIGRATIONS);
  await Promise.all(
    NAMES.map(name =>
      somebody.create('applications', {
        ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
        metadata: { name, namespace: NAMESPACE },
        spec: { project: 'default', destination: { name: 'edge' } },
      } as KubernetesObject),
    ),
  );
  const acknowledged: Acknowledged[] = [];
  const load = () =>
    loadMortal(
      'recordingProcess.ts',
      [kubeconfigPath, JSON.stringify(database)],
      message =>
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
    const health = { status: dice() < 0.5 ? 'Degraded' : 'Healthy' };
    const conditions = [{ type: 'SyncError', message: error }];
    latest.set(name, error);
    await somebody.patch(
      'applications',
      { namespace: NAMESPACE, name },
      { status: { health, conditions } },
    );
  }

  async function change() {
    while (changing) {
      await Promise.all(Array.from({ length: CHANGES_AT_ONCE }, changeOne));
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
      const told = acknowledged.length;
      // Not before it has recorded anything, or it would never be killed while it does.
      await waitFor(() => acknowledged.length > told);
      await pause(dice() * LATEST);
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
    await knex.destroy();
    await client.close();
    await hub.stop();
    await rm(folder, { recursive: true });
  }
}

/** What was acknowledged and is not there, what is there twice, and Applications whose transitions are not numbered from 1 without gaps. */
export function lossesOf({
  acknowledged,
  recorded,
}: Awaited<ReturnType<typeof killRecording>>) {
  const stored = new Set(recorded.map(each => JSON.stringify(each)));
  const texts = recorded.map(({ error }) => error);
  const numbersOf = (of: string) =>
    recorded.filter(({ name }) => name === of).map(({ sequence }) => sequence);
  return {
    lost: acknowledged.filter(each => !stored.has(JSON.stringify(each))),
    // No state ever comes again.
    twice: texts.filter((text, at) => texts.indexOf(text) !== at),
    misnumbered: NAMES.filter(name =>
      numbersOf(name).some((sequence, at) => sequence !== at + 1),
    ),
  };
}
