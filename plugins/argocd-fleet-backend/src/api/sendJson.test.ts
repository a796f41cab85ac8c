import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { sendJson } from './sendJson';

function row(index: number, message = 'tab\t "quoted" ü…') {
  return {
    application: { namespace: 'argocd', name: `app-${index}` },
    conditions: [{ type: 'SyncError', message }],
    steps: [],
    phase: undefined,
  };
}

function rows(count: number, message?: string) {
  return Array.from({ length: count }, (_, index) => row(index, message));
}

/** A server that answers each request with the next answer. */
async function serving(answer: object) {
  const ended: Promise<void>[] = [];
  const app = express();
  app.get('/', (_, response, next) => {
    ended.push(sendJson(response, answer).catch(next));
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    ended,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('an answer', () => {
  it.each([
    ['few rows', { applications: rows(3), excluded: undefined }],
    ['many rows', { ref: { name: 'a' }, applications: rows(3_000), x: null }],
    ['other lists', { items: rows(1_000), applications: undefined }],
  ])('with %s is the JSON of it', async (_, answer) => {
    await using server = await serving(answer);
    for (let request = 0; request < 2; request += 1) {
      const response = await fetch(server.url);
      expect(response.headers.get('content-type')).toBe(
        'application/json; charset=utf-8',
      );
      expect(await response.text()).toBe(JSON.stringify(answer));
    }
  });

  it('with many rows lets the event loop run in between', async () => {
    const answer = { applications: rows(5_000, 'x'.repeat(2_000)) };
    await using server = await serving(answer);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    const response = await fetch(server.url);
    const before = turns;
    await response.text();
    clearInterval(timer);
    expect(turns - before).toBeGreaterThan(3);
    await Promise.all(server.ended);
  });

  it('ends when its reader goes away', async () => {
    const answer = { applications: rows(5_000, 'x'.repeat(5_000)) };
    await using server = await serving(answer);
    const request = get(server.url);
    const [message] = (await once(request, 'response')) as [IncomingMessage];
    // Nothing is read, so the server has to wait.
    message.pause();
    request.destroy();
    request.on('error', () => {});
    await Promise.all(server.ended);
    expect(server.ended).toHaveLength(1);
  });
});
