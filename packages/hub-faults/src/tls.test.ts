import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, Server } from 'node:https';
import { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { EmbeddedHub, startEmbeddedHub } from 'embedded-hub';
import { selfSignedCertificate } from './__testUtils__/selfSignedCertificate';
import { HubFaults, startHubFaults } from './startHubFaults';

const NAMESPACES = '/api/v1/namespaces';
const SERVER = selfSignedCertificate('hub');
const CLIENT = selfSignedCertificate('client');

let hub: EmbeddedHub;
let tlsProxy: Server;
let faults: HubFaults | undefined;
/** The credentials of each request: the name in its client certificate, its Authorization header. */
let credentials: { certificate?: string; token?: string }[];

beforeAll(async () => {
  hub = await startEmbeddedHub();
  // The embedded hub speaks plain HTTP; real hubs use TLS.
  tlsProxy = createServer(
    {
      cert: SERVER.certificate,
      key: SERVER.key,
      // A client certificate is optional.
      requestCert: true,
      rejectUnauthorized: false,
      ca: CLIENT.certificate,
    },
    (incoming, response) => {
      const { subject } = (incoming.socket as TLSSocket).getPeerCertificate();
      const { authorization } = incoming.headers;
      credentials.push({
        certificate: subject?.CN as string,
        token: authorization,
      });
      const { method, url, headers } = incoming;
      const outgoing = request(hub.url + url, { method, headers }, answer => {
        response.writeHead(answer.statusCode!, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      });
      response.on('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    },
  );
  tlsProxy.listen(0, '127.0.0.1');
  await once(tlsProxy, 'listening');
});

beforeEach(() => {
  credentials = [];
});

afterEach(() => faults?.stop());

afterAll(async () => {
  tlsProxy.closeAllConnections();
  tlsProxy.close();
  await hub.stop();
});

function base64(text: string) {
  return Buffer.from(text).toString('base64');
}

/** Starts the proxy with `authority` as the only certificate authority that it trusts. */
async function startFaults(authority: string) {
  const { port } = tlsProxy.address() as AddressInfo;
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority-data': base64(authority),
  };
  const user = {
    'client-certificate-data': base64(CLIENT.certificate),
    'client-key-data': base64(CLIENT.key),
  };
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  });
  faults = await startHubFaults({ target: { kubeconfig } });
  return faults;
}

it('forwards over TLS, as the user of the kubeconfig', async () => {
  const { url } = await startFaults(SERVER.certificate);
  const response = await fetch(url + NAMESPACES);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ kind: 'NamespaceList' });
  expect(credentials).toEqual([{ certificate: 'client', token: undefined }]);
});

it('sends no client certificate where the client sends a token', async () => {
  const { url } = await startFaults(SERVER.certificate);
  const headers = { authorization: 'Bearer of-the-client' };
  expect((await fetch(url + NAMESPACES, { headers })).status).toBe(200);
  expect(credentials).toEqual([
    { certificate: undefined, token: 'Bearer of-the-client' },
  ]);
});

it('forwards watches over TLS, and faults hit there too', async () => {
  const own = await startFaults(SERVER.certificate);
  const watch = await fetch(`${own.url}${NAMESPACES}?watch=1`);
  const reader = watch.body!.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader.read();
  expect(first.value).toContain('"type":"ADDED"');
  own.dropConnections();
  const rest = (async () => {
    while (!(await reader.read()).done);
  })();
  await expect(rest).rejects.toThrow('terminated');
  own.add({ type: 'serverError' });
  expect((await fetch(own.url + NAMESPACES)).status).toBe(500);
  expect(credentials).toHaveLength(1);
});

it('rejects a server whose certificate it does not trust', async () => {
  const { url } = await startFaults(CLIENT.certificate);
  const response = await fetch(url + NAMESPACES);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    reason: 'ServiceUnavailable',
    message: expect.stringMatching(/cannot be reached: .*certificate/),
  });
  expect(credentials).toEqual([]);
});
