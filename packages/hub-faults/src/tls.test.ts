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
let door: Server;
let faults: HubFaults | undefined;
/** What each request has shown of who sends it: a certificate's name, a token. */
let shown: { certificate?: string; token?: string }[];

beforeAll(async () => {
  hub = await startEmbeddedHub();
  // The embedded hub behind TLS, as real ones are.
  door = createServer(
    {
      cert: SERVER.certificate,
      key: SERVER.key,
      // Asked for, not insisted on.
      requestCert: true,
      rejectUnauthorized: false,
      ca: CLIENT.certificate,
    },
    (incoming, response) => {
      const { subject } = (incoming.socket as TLSSocket).getPeerCertificate();
      const { authorization } = incoming.headers;
      shown.push({ certificate: subject?.CN as string, token: authorization });
      const { method, url, headers } = incoming;
      const onward = request(hub.url + url, { method, headers }, answer => {
        response.writeHead(answer.statusCode!, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      });
      response.on('close', () => onward.destroy());
      incoming.pipe(onward);
    },
  );
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
});

beforeEach(() => {
  shown = [];
});

afterEach(() => faults?.stop());

afterAll(async () => {
  door.closeAllConnections();
  door.close();
  await hub.stop();
});

function base64(text: string) {
  return Buffer.from(text).toString('base64');
}

/** Faults in front of the door, which is believed if `authority` vouches for it. */
async function startFaults(authority: string) {
  const { port } = door.address() as AddressInfo;
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

it('passes on over TLS, as the user of the kubeconfig', async () => {
  const { url } = await startFaults(SERVER.certificate);
  const response = await fetch(url + NAMESPACES);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ kind: 'NamespaceList' });
  expect(shown).toEqual([{ certificate: 'client', token: undefined }]);
});

it('leaves the certificate at home where the client says who it is', async () => {
  const { url } = await startFaults(SERVER.certificate);
  const headers = { authorization: 'Bearer of-the-client' };
  expect((await fetch(url + NAMESPACES, { headers })).status).toBe(200);
  expect(shown).toEqual([
    { certificate: undefined, token: 'Bearer of-the-client' },
  ]);
});

it('watches over TLS, and its faults hit there', async () => {
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
  expect(shown).toHaveLength(1);
});

it('does not believe a server that nobody vouches for', async () => {
  const { url } = await startFaults(CLIENT.certificate);
  const response = await fetch(url + NAMESPACES);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    reason: 'ServiceUnavailable',
    message: expect.stringMatching(/cannot be reached: .*certificate/),
  });
  expect(shown).toEqual([]);
});
