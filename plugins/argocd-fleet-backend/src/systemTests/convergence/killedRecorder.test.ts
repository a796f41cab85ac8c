import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  recordWithKills,
  KILLS,
  recordingErrors,
} from './__testUtils__/killedRecorder';

jest.setTimeout(600_000);

const seed = Number(process.env.ARGOCD_FLEET_SEED ?? Date.now() % 1_000_000);

describe(`the fleet database in a SQLite file (seed ${seed})`, () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-recording-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('has each acknowledged transition exactly once, however often its writer is killed', async () => {
    const result = await recordWithKills(
      {
        client: 'better-sqlite3',
        connection: { filename: join(folder, 'fleet.sqlite') },
        useNullAsDefault: true,
      },
      seed,
    );
    expect(recordingErrors(result)).toEqual({
      lost: [],
      twice: [],
      misnumbered: [],
    });
    expect(result.acknowledged.length).toBeGreaterThan(KILLS * 10);
  });
});
