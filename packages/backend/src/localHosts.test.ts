import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forLocalHosts } from './localHosts';

/** What a portal that listens on `listenHost` answers to a request for `host`. */
async function statusFor(listenHost: string, host: string): Promise<number> {
  const baseUrl = 'http://portal.test:7007';
  const check = forLocalHosts({ baseUrl, listenHost });
  const server = createServer((incoming, response) =>
    check(incoming, response, () => response.end('secret')),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const sent = request({ port, host: '127.0.0.1', headers: { host } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const text = (await response.toArray()).join('');
    expect(text.includes('secret')).toBe(response.statusCode === 200);
    return response.statusCode!;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

it.each([
  ['127.0.0.1', 'localhost:7007', 200],
  ['127.0.0.1', '127.0.0.1:7007', 200],
  ['127.0.0.1', '[::1]:7007', 200],
  ['127.0.0.1', 'portal.test:7007', 200],
  ['127.0.0.1', 'evil.example:7007', 403],
  ['127.0.0.1', 'localhost.evil.example', 403],
  ['127.0.0.1', 'portal.test.evil.example:7007', 403],
  ['localhost', 'evil.example', 403],
  // Where a proxy and probes reach it, they name it as they like.
  ['0.0.0.0', '10.0.0.7:7007', 200],
])(
  'a portal that listens on %s answers a request for %s with %i',
  async (listen, host, status) => {
    expect(await statusFor(listen, host)).toBe(status);
  },
);
