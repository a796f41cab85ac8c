import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { waitFor } from '../__testUtils__/waitFor';
import { createChangeFeed } from './changeFeed';
import { streamEvents } from './eventStream';

/** A server that starts its response when a test triggers it, on a feed that knows its subscribers. */
async function startServer() {
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
      answering = allowed.then(() => streamEvents(counted, request, response));
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
