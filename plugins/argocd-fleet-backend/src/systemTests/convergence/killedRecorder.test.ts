import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEED } from '../../__testUtils__/randomCases';
import {
  recordWithKills,
  KILLS,
  recordingErrors,
} from './__testUtils__/killedRecorder';

// The kills of the long run take minutes.
jest.setTimeout(600_000);

describe(`the fleet database in a SQLite file (seed ${SEED})`, () => {
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
      SEED,
    );
    expect(recordingErrors(result)).toEqual({
      lost: [],
      twice: [],
      misnumbered: [],
    });
    expect(result.acknowledged.length).toBeGreaterThanOrEqual(KILLS * 10);
  });
});
