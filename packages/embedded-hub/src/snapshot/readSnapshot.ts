import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { SnapshotEnd, SnapshotHead, SnapshotObject } from './snapshotObject';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const NEWLINE = 0x0a;
const READ_SIZE = 1024 * 1024;

/** An open snapshot file. */
export interface SnapshotFile {
  readonly head: SnapshotHead;
  /** The objects, in order, each with the number of its line. Iterating throws when the file is damaged. */
  readonly objects: AsyncIterable<{
    readonly line: number;
    readonly object: SnapshotObject;
  }>;
}

/**
 * Opens a file that `writeSnapshot` made, compressed or not.
 *
 * @throws Error when it does not exist, is not a snapshot, or has another version.
 */
export async function readSnapshot(path: string): Promise<SnapshotFile> {
  const lines = linesOf(await byteStream(path));
  const first = await lines.next();
  const head = first.done
    ? undefined
    : (parse(first.value, path, 1) as Partial<SnapshotHead>);
  if (head?.kind !== 'HubSnapshot') {
    throw new Error(
      `${path} is not a snapshot of a hub: its first line must be {"kind":"HubSnapshot","version":1}`,
    );
  }
  if (head.version !== 1) {
    throw new Error(
      `${path} is a snapshot of version ${head.version}; this hub reads version 1: save it again`,
    );
  }
  return { head: head as SnapshotHead, objects: objectsOf(lines, path) };
}

async function byteStream(path: string): Promise<AsyncIterable<Buffer>> {
  let compressed: boolean;
  try {
    const file = await open(path);
    try {
      const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
      compressed = buffer.equals(GZIP_MAGIC);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Error(
      `The snapshot ${path} cannot be read (${
        error instanceof Error ? error.message : error
      }): name a file that a hub has saved`,
    );
  }
  const bytes = createReadStream(path, { highWaterMark: READ_SIZE });
  if (!compressed) {
    return bytes;
  }
  const text = createGunzip({ chunkSize: READ_SIZE });
  bytes.on('error', error => text.destroy(error));
  return bytes.pipe(text);
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pending: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) {
        break;
      }
      const rest = chunk.subarray(start, end);
      const line =
        pending.length > 0 ? Buffer.concat([...pending, rest]) : rest;
      pending = [];
      yield line.toString();
      start = end + 1;
    }
    if (start < chunk.length) {
      pending.push(chunk.subarray(start));
    }
  }
  if (pending.length > 0) {
    yield Buffer.concat(pending).toString();
  }
}

function parse(text: string, path: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(
      `${path}, line ${line} is not valid JSON (${
        error instanceof Error ? error.message : error
      }): the file is damaged, save it again`,
    );
  }
}

async function* objectsOf(lines: AsyncGenerator<string>, path: string) {
  let line = 1;
  let count = 0;
  const truncated = (cause: string) =>
    new Error(`${path} is truncated: ${cause}; save it again`);
  try {
    for await (const text of lines) {
      line += 1;
      const object = parse(text, path, line) as SnapshotObject | SnapshotEnd;
      if (object.kind === 'HubSnapshotEnd') {
        const { objects } = object as SnapshotEnd;
        if (objects !== count) {
          throw truncated(`it has ${count} of ${objects} objects`);
        }
        return;
      }
      count += 1;
      yield { line, object: object as SnapshotObject };
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'Z_BUF_ERROR'
      ? truncated('its last part is missing')
      : error;
  }
  throw truncated(`it ends after ${count} objects without a last line`);
}
