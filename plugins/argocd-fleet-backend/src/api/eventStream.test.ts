import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { waitFor } from '../__testUtils__/waitFor';
import { createChangeFeed } from './changeFeed';
import { createStreamLimit } from './streamLimit';
import { streamEvents, type StreamOptions } from './eventStream';

/** A server that starts its response when a test triggers it, on a feed that knows its subscribers. */
async function startServer(options: Partial<StreamOptions> = {}) {
  const feed = createChangeFeed();
  const listening = new Set<unknown>();
  const counted = {
    ...feed,
    subscribe(listener: Parameters<typeof feed.subscribe>[0]) {
      const unsubscribe = feed.subscribe(listener);
      listening.add(listener);
      return () => {
        listening.delete(listener);
        unsubscribe();
      };
    },
  };
  let begin = () => {};
  const allowed = new Promise<void>(resolve => {
    begin = resolve;
  });
  let answering: Promise<unknown> | undefined;
  let connection: Request['socket'] | undefined;
  const server = express()
    .get('/', (request: Request, response: Response) => {
      connection = request.socket;
      answering = allowed.then(() =>
        streamEvents(counted, request, response, {
          visible: ({ hubs }) => ({ applicationSets: [], hubs }),
          onEnd: () => {},
          ...options,
        }),
      );
    })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = get(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  );
  client.on('error', () => {});
  return {
    client,
    listening,
    begin,
    arrived: () => waitFor(() => connection),
    answered: () => waitFor(() => answering?.then(() => true)),
    async stop() {
      client.destroy();
      feed.close();
      server.close();
      await once(server, 'close');
    },
  };
}

it('does not subscribe for a client that left during the permission check', async () => {
  const server = await startServer();
  const connection = await server.arrived();
  server.client.destroy();
  await waitFor(() => connection.destroyed);
  server.begin();
  await server.answered();
  expect(server.listening.size).toBe(0);
  await server.stop();
});

it('stays subscribed until the client leaves', async () => {
  const server = await startServer();
  server.begin();
  await once(server.client, 'response');
  expect(server.listening.size).toBe(1);
  server.client.destroy();
  await waitFor(() => server.listening.size === 0);
  await server.stop();
});

it('ends after its lifetime, so that the next one is decided anew', async () => {
  const ended = jest.fn();
  const server = await startServer({ lifetimeMs: 10, onEnd: ended });
  server.begin();
  const [response] = await once(server.client, 'response');
  response.resume();
  await once(response, 'end');
  expect(server.listening.size).toBe(0);
  expect(ended).toHaveBeenCalledTimes(1);
  await server.stop();
});

it('ends for a client that does not read, too', async () => {
  const ended = jest.fn();
  const server = await startServer({
    ...{ lifetimeMs: 10, readRestMs: 10 },
    onEnd: ended,
  });
  const connection = await server.arrived();
  // What a client does not read is never completely written.
  connection._write = () => {};
  connection._writev = undefined;
  server.begin();
  await server.answered();
  await waitFor(() => ended.mock.calls.length > 0);
  expect(server.listening.size).toBe(0);
  expect(connection.destroyed).toBe(true);
  expect(ended).toHaveBeenCalledTimes(1);
  await server.stop();
});

it('counts a client that left during the permission check as gone', async () => {
  const ended = jest.fn();
  const server = await startServer({ onEnd: ended });
  const connection = await server.arrived();
  server.client.destroy();
  await waitFor(() => connection.destroyed);
  server.begin();
  await server.answered();
  expect(ended).toHaveBeenCalledTimes(1);
  await server.stop();
});

it('is refused to a user with too many, and to no other', () => {
  const limit = createStreamLimit(2);
  const [first] = [limit.open('jane'), limit.open('jane')];
  expect(() => limit.open('jane')).toThrow(
    expect.objectContaining({
      status: 429,
      message: expect.stringContaining('2 event streams'),
    }),
  );
  limit.open('joe');
  first();
  first();
  limit.open('jane');
  expect(() => limit.open('jane')).toThrow('2 event streams');
});
