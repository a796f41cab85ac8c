import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { listen } from './listen';
import { forLocalClients } from './localClients';

describe('a server for local clients', () => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer(
      forLocalClients((_, response) => {
        response.end('{"kind":"PodList"}');
      }),
    );
    await listen(server, 0, '127.0.0.1');
    ({ port } = server.address() as AddressInfo);
  });

  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  async function get(headers: Record<string, string>) {
    const sent = request({ port, host: '127.0.0.1', headers, agent: false });
    sent.end();
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, body: await json(response) };
  }

  it.each([
    '127.0.0.1',
    '127.0.0.1:6443',
    'localhost:6443',
    'LOCALHOST',
    '[::1]:6443',
  ])('answers a request for %s', async host => {
    expect(await get({ host })).toEqual({
      status: 200,
      body: { kind: 'PodList' },
    });
  });

  it.each([
    [{ host: 'evil.example.com' }, 'Host "evil.example.com"'],
    [{ host: '127.0.0.1.example.com' }, 'Host "127.0.0.1.example.com"'],
    [{ host: 'localhost.example.com:80' }, 'Host "localhost.example.com:80"'],
    [{ host: '192.0.2.1' }, 'Host "192.0.2.1"'],
    [
      { host: '127.0.0.1', origin: 'https://evil.example.com' },
      'Origin "https://evil.example.com"',
    ],
    [{ host: '127.0.0.1', origin: 'null' }, 'Origin "null"'],
  ])('refuses a request with %j', async (headers, named) => {
    const { status, body } = await get(headers);
    expect(status).toBe(403);
    expect(body).toMatchObject({
      kind: 'Status',
      reason: 'Forbidden',
      message: expect.stringContaining(named),
    });
  });
});
