import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { yieldToEventLoop } from '../async';
import { isRecord } from '../model/json';

/** Answers with more rows are written in pieces: all at once, they would block the event loop for a moment. */
const FEW_ROWS = 200;
/** Characters of one piece. */
const PIECE = 64 * 1024;
/** Milliseconds of work after which other requests are served. */
const YIELD_AFTER_MS = 5;

/**
 * JSON of rows, by row. A row is the same object until it changes, so an answer costs what changed since the last one.
 */
const rowTexts = new WeakMap<object, string>();

/** Sends an answer of the API as JSON. */
export async function sendJson(
  response: Response,
  answer: object,
): Promise<void> {
  if ('items' in answer) {
    // Express gives it an ETag.
    response.set('Cache-Control', 'private, no-cache');
  }
  if (countRows(answer) <= FEW_ROWS) {
    response.json(answer);
    return;
  }
  response.type('json');
  try {
    await pipeline(Readable.from(pieces(answer)), response);
  } catch (error) {
    // A reader that has gone away needs no answer.
    if (!isPrematureClose(error)) {
      throw error;
    }
  }
}

/** The text in pieces of about {@link PIECE} characters; the event loop runs in between. */
async function* pieces(answer: object): AsyncGenerator<string> {
  let yieldAt = performance.now() + YIELD_AFTER_MS;
  let piece = '';
  for (const text of jsonTexts(answer)) {
    piece += text;
    if (piece.length < PIECE) {
      continue;
    }
    yield piece;
    piece = '';
    if (performance.now() > yieldAt) {
      await yieldToEventLoop();
      yieldAt = performance.now() + YIELD_AFTER_MS;
    }
  }
  yield piece;
}

function isPrematureClose(error: unknown): boolean {
  return isRecord(error) && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Rows of an ApplicationSet. */
function countRows(answer: object): number {
  const { applications } = answer as { readonly applications?: unknown };
  return Array.isArray(applications) ? applications.length : 0;
}

/** The same text as of `JSON.stringify`, in parts: each row is one. */
function* jsonTexts(answer: object): Generator<string> {
  let separator = '{';
  for (const [key, value] of Object.entries(answer)) {
    if (value === undefined) {
      continue;
    }
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    if (Array.isArray(value) && key === 'applications') {
      yield* listTexts(value);
    } else {
      yield JSON.stringify(value);
    }
  }
  yield separator === '{' ? '{}' : '}';
}

function* listTexts(rows: readonly object[]): Generator<string> {
  yield '[';
  let separator = '';
  for (const row of rows) {
    yield separator;
    yield textOf(row);
    separator = ',';
  }
  yield ']';
}

function textOf(row: object): string {
  let text = rowTexts.get(row);
  if (text === undefined) {
    text = JSON.stringify(row);
    rowTexts.set(row, text);
  }
  return text;
}
