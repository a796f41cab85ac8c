import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  killRecording,
  KILLS,
  lossesOf,
} from './__testUtils__/killedRecording';

jest.setTimeout(600_000);

const seed = Number(process.env.ARGOCD_FLEET_SEED ?? Date.now() % 1_000_000);

describe(`fleet model in a SQLite file (seed ${seed})`, () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-recording-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('has each transition that it acknowledged, and none twice, however often its writer is killed', async () => {
    const result = await killRecording(
      {
        client: 'better-sqlite3',
        connection: { filename: join(folder, 'fleet.sqlite') },
        useNullAsDefault: true,
      },
      seed,
    );
    expect(lossesOf(result)).toEqual({ lost: [], twice: [], misnumbered: [] });
    expect(result.acknowledged.length).toBeGreaterThan(KILLS * 10);
  });
});
