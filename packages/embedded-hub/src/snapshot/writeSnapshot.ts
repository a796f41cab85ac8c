import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import {
  SavedSnapshot,
  SnapshotEnd,
  SnapshotHead,
  SnapshotObject,
} from './snapshotObject';

/** Characters that are collected before a write. */
const CHUNK_SIZE = 128 * 1024;

type Objects = Iterable<SnapshotObject> | AsyncIterable<SnapshotObject>;

/** The text of a snapshot in chunks; counts the objects in `written`. */
async function* snapshotLines(
  objects: Objects,
  revision: number | undefined,
  written: { objects: number },
) {
  const head: SnapshotHead = { kind: 'HubSnapshot', version: 1, revision };
  let text = `${JSON.stringify(head)}\n`;
  for await (const object of objects) {
    text += `${JSON.stringify(object)}\n`;
    written.objects += 1;
    if (text.length >= CHUNK_SIZE) {
      yield text;
      text = '';
      // The hub continues to answer requests meanwhile.
      await new Promise(resolve => setImmediate(resolve));
    }
  }
  const end: SnapshotEnd = {
    kind: 'HubSnapshotEnd',
    objects: written.objects,
  };
  yield `${text}${JSON.stringify(end)}\n`;
}

/**
 * Writes objects to a file from which a hub can start, one JSON object a line; compressed when its name ends in `.gz`.
 * The file is written atomically.
 *
 * CustomResourceDefinitions must come before their objects; those that every hub has are not needed.
 *
 * @throws Error when the file cannot be written, or `objects` fails.
 */
export async function writeSnapshot(
  path: string,
  objects: Objects,
  revision?: number,
): Promise<SavedSnapshot> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = createWriteStream(temporary, { mode: 0o600 });
    const written = { objects: 0 };
    const lines = snapshotLines(objects, revision, written);
    const text = Readable.from(lines, { objectMode: false });
    if (path.endsWith('.gz')) {
      const level = constants.Z_BEST_SPEED;
      await pipeline(text, createGzip({ level }), file);
    } else {
      await pipeline(text, file);
    }
    const { size } = await stat(temporary);
    await rename(temporary, path);
    return { ...written, bytes: size };
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
