import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createProxy } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer, type Server } from 'node:https';
import { connect as connectSocket, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { stringify } from 'yaml';
import {
  createCertificateAuthority,
  type Certificate,
} from '../../__testUtils__/certificates';
import { waitFor } from '../../__testUtils__/waitFor';
import { FLEET_RESOURCES } from '../../fleet/resources';
import { inClusterAccess, type ConnectionConfig } from './access';
import type { KubernetesClient } from './client';
import { createConnector } from './connection';
import { createHttpClient } from './httpClient';

const { clusters } = FLEET_RESOURCES;

const authority = createCertificateAuthority('hub');
const stranger = createCertificateAuthority('stranger');

/** An API server without objects that authenticates its clients by token or certificate. */
describe('a connection over TLS', () => {
  let server: Server;
  let url: string;
  let folder: string;
  let client: KubernetesClient | undefined;
  let goodTokens: string[];
  let goodClients: string[];
  let requests: { token?: string; commonName?: string; status: number }[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-tls-'));
    goodTokens = ['first'];
    goodClients = [];
    requests = [];
    await startServer(authority.issue('server'), authority.cert);
  });

  afterEach(async () => {
    await client?.close();
    client = undefined;
    await stopServer();
    await rm(folder, { recursive: true });
  });

  async function startServer(certificate: Certificate, ca: string, port = 0) {
    server = createServer(
      { ...certificate, ca, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        const token = request.headers.authorization?.replace('Bearer ', '');
        const socket = request.socket as TLSSocket;
        const { subject } = socket.authorized
          ? socket.getPeerCertificate()
          : { subject: undefined };
        const commonName = subject?.CN?.toString();
        const isKnown =
          goodTokens.includes(token ?? '') ||
          goodClients.includes(commonName ?? '');
        const status = isKnown ? 200 : 401;
        requests.push({ token, commonName, status });
        response.writeHead(status, { 'content-type': 'application/json' });
        if (isKnown && request.url?.includes('watch=true')) {
          response.flushHeaders();
          response.write(
            `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '1' } } })}\n`,
          );
        } else {
          response.end(
            isKnown
              ? '{"items":[],"metadata":{"resourceVersion":"1"}}'
              : '{"kind":"Status","message":"Unauthorized"}',
          );
        }
      },
    );
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function stopServer() {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  function connect(access: ConnectionConfig): KubernetesClient {
    client = createHttpClient({
      server: 'hub "hub"',
      connector: createConnector({ server: 'hub "hub"', access }),
      fieldManager: 'argocd-fleet',
    });
    return client;
  }

  async function file(name: string, content: string) {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  }

  const caData = Buffer.from(authority.cert).toString('base64');

  async function kubeconfig(
    user: object,
    name = 'kubeconfig',
    cluster: object = {},
  ) {
    const config = {
      clusters: [
        {
          name: 'hub',
          cluster: {
            ...{ server: url, 'certificate-authority-data': caData },
            ...cluster,
          },
        },
      ],
      users: [{ name: 'backend', user }],
      contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'backend' } }],
      'current-context': 'hub',
    };
    return { path: await file(name, stringify(config)) };
  }

  const statuses = () => requests.map(({ status }) => status);

  it('is made with a token and a CA', async () => {
    await connect({ url, token: 'first', caData }).list(clusters);
    expect(requests).toMatchObject([{ token: 'first', status: 200 }]);
  });

  it.each(['directly', 'through a proxy'])(
    'speaks HTTP/1.1 %s, although the server prefers HTTP/2',
    async way => {
      const versions: string[] = [];
      const preferring = createSecureServer(
        { ...authority.issue('server'), allowHTTP1: true },
        (request, response) => {
          versions.push(request.httpVersion);
          response.end('{"items":[],"metadata":{"resourceVersion":"1"}}');
        },
      );
      const proxy = createProxy().on('connect', ({ url: target }, socket) => {
        const [host, port] = target!.split(':');
        const tunnel = connectSocket(Number(port), host, () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          tunnel.pipe(socket).pipe(tunnel);
        });
      });
      const addresses: string[] = [];
      for (const each of [preferring, proxy]) {
        each.listen(0, '127.0.0.1');
        await once(each, 'listening');
        addresses.push(`127.0.0.1:${(each.address() as AddressInfo).port}`);
      }
      try {
        url = `https://${addresses[0]}`;
        const through = { 'proxy-url': `http://${addresses[1]}` };
        const path = await kubeconfig(
          { token: 'first' },
          'kubeconfig',
          way === 'directly' ? {} : through,
        );
        await connect({ kubeconfig: path }).list(clusters);
        expect(versions).toEqual(['1.1']);
      } finally {
        await client?.close();
        preferring.close();
        proxy.close();
      }
    },
  );

  it('is made with a token and a CA in files', async () => {
    const tokenFile = await file('token', 'first\n');
    const caFile = await file('ca.crt', authority.cert);
    await connect({ url, tokenFile, caFile }).list(clusters);
    expect(requests).toMatchObject([{ token: 'first', status: 200 }]);
  });

  it('fails with another CA, and sends nothing', async () => {
    const wrong = Buffer.from(stranger.cert).toString('base64');
    await expect(
      connect({ url, token: 'first', caData: wrong }).list(clusters),
    ).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(
        /list managedclusters.* on hub "hub": .*certificate.*is not signed by a CA that we trust for it.*set caData or caFile/,
      ),
    });
    expect(requests).toEqual([]);
  });

  it('fails without a CA, unless skipTLSVerify is set', async () => {
    await expect(
      connect({ url, token: 'first' }).list(clusters),
    ).rejects.toMatchObject({ kind: 'unavailable' });
    expect(requests).toEqual([]);
    await client?.close();
    await connect({ url, token: 'first', skipTLSVerify: true }).list(clusters);
    expect(statuses()).toEqual([200]);
  });

  it.each([
    ['with', true],
    ['without', false],
  ])(
    'says whether its certificate is verified, for a kubeconfig %s insecure-skip-tls-verify',
    async (_, skips) => {
      const { path } = await kubeconfig({ token: 'first' });
      const text = await readFile(path, 'utf8');
      await writeFile(
        path,
        skips
          ? text.replace(
              /certificate-authority-data: .*/,
              'insecure-skip-tls-verify: true',
            )
          : text,
      );
      const connector = createConnector({
        server: 'hub "hub"',
        access: { kubeconfig: { path } },
      });
      client = createHttpClient({
        server: 'hub "hub"',
        connector,
        fieldManager: 'argocd-fleet',
      });
      await client.list(clusters);
      expect(statuses()).toEqual([200]);
      expect(connector.skipsTlsVerify).toBe(skips);
    },
  );

  it('reads a new token from its file within the request that is refused with the old one', async () => {
    const tokenFile = await file('token', 'first');
    const hub = connect({ url, tokenFile, caData });
    await hub.list(clusters);

    await file('token', 'second');
    goodTokens = ['second'];
    await Promise.all([1, 2, 3].map(() => hub.list(clusters)));
    await hub.list(clusters);
    expect(statuses().filter(status => status === 401)).toHaveLength(3);
    expect(requests.at(-1)).toMatchObject({ token: 'second', status: 200 });
  });

  it('sends a refused create once more, with its body', async () => {
    const tokenFile = await file('token', 'first');
    const hub = connect({ url, tokenFile, caData });
    await hub.list(clusters);
    await file('token', 'second');
    goodTokens = ['second'];
    await hub.create(clusters, {
      apiVersion: 'v1',
      kind: 'Anything',
      metadata: { name: 'made' },
    });
    expect(statuses()).toEqual([200, 401, 200]);
  });

  it('reports a token that is refused and not replaced, and does not retry', async () => {
    const tokenFile = await file('token', 'expired');
    const hub = connect({ url, tokenFile, caData });
    await expect(hub.list(clusters)).rejects.toMatchObject({
      kind: 'unauthorized',
    });
    expect(statuses()).toEqual([401]);
  });

  it('lets a watch with the old token end by itself', async () => {
    const tokenFile = await file('token', 'first');
    const hub = connect({ url, tokenFile, caData });
    const stop = new AbortController();
    const watch = hub
      .watch(clusters, {
        resourceVersion: '1',
        timeoutSeconds: 60,
        signal: stop.signal,
      })
      [Symbol.asyncIterator]();
    await watch.next();
    const waiting = watch.next();

    await file('token', 'second');
    goodTokens = ['second'];
    await hub.list(clusters);
    const outcome = await Promise.race([
      waiting.then(
        () => 'ended',
        () => 'broken',
      ),
      hub.list(clusters).then(() => 'open'),
    ]);
    expect(outcome).toBe('open');
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('reads a new CA from its file when the server has a new certificate', async () => {
    const caFile = await file('ca.crt', authority.cert);
    const hub = connect({ url, token: 'first', caFile });
    await hub.list(clusters);

    const next = createCertificateAuthority('next');
    const { port } = new URL(url);
    await stopServer();
    await startServer(next.issue('server'), next.cert, Number(port));
    await file('ca.crt', next.cert);
    await waitFor(() => hub.list(clusters));
    expect(statuses()).toEqual([200, 200]);
  });

  it('reads a kubeconfig that was replaced', async () => {
    const { path } = await kubeconfig({ token: 'first' });
    const hub = connect({ kubeconfig: { path } });
    await hub.list(clusters);
    await kubeconfig({ token: 'second' });
    goodTokens = ['second'];
    await hub.list(clusters);
    expect(statuses()).toEqual([200, 401, 200]);
  });

  it('reads tokens from the tokenFile of a kubeconfig', async () => {
    await file('token', 'first');
    const hub = connect({
      kubeconfig: await kubeconfig({ tokenFile: 'token' }),
    });
    await hub.list(clusters);
    await file('token', 'second');
    goodTokens = ['second'];
    await hub.list(clusters);
    expect(statuses()).toEqual([200, 401, 200]);
  });

  it('reads a client certificate that was renewed in its file', async () => {
    goodClients = ['one'];
    const write = async (name: string) => {
      const { cert, key } = authority.issue(name);
      await file('client.crt', cert);
      await file('client.key', key);
    };
    await write('one');
    const hub = connect({
      kubeconfig: await kubeconfig({
        'client-certificate': 'client.crt',
        'client-key': 'client.key',
      }),
    });
    await hub.list(clusters);
    await write('two');
    goodClients = ['two'];
    await hub.list(clusters);
    expect(requests).toMatchObject([
      { commonName: 'one', status: 200 },
      { commonName: 'one', status: 401 },
      { commonName: 'two', status: 200 },
    ]);
  });

  it('runs a credential plugin again when its token is refused', async () => {
    await file('token', 'first');
    const plugin = await file(
      'plugin.sh',
      `#!/bin/sh
echo run >> "${folder}/runs"
echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"'$(cat "${folder}/token")'"}}'
`,
    );
    await chmod(plugin, 0o700);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: plugin,
      interactiveMode: 'Never',
    };
    const hub = connect({ kubeconfig: await kubeconfig({ exec }) });
    await hub.list(clusters);
    await hub.list(clusters);
    await file('token', 'second');
    goodTokens = ['second'];
    await hub.list(clusters);
    expect(statuses()).toEqual([200, 200, 401, 200]);
    expect(await readFile(join(folder, 'runs'), 'utf8')).toBe('run\nrun\n');
  });

  it.each<[string, () => ConnectionConfig, RegExp]>([
    [
      'a missing token file',
      () => ({ url, tokenFile: '/nowhere/token', caData }),
      /Could not connect to hub "hub": the token file \/nowhere\/token cannot be read \(ENOENT/,
    ],
    [
      'a missing CA file',
      () => ({ url, token: 'first', caFile: '/nowhere/ca' }),
      /Could not connect to hub "hub": the CA file \/nowhere\/ca cannot be read \(ENOENT/,
    ],
    [
      'a missing kubeconfig',
      () => ({ kubeconfig: { path: '/nowhere/kubeconfig' } }),
      /Could not connect to hub "hub": the kubeconfig \/nowhere\/kubeconfig cannot be read.*tried again/,
    ],
  ])('names the path of %s', async (_, access, message) => {
    await expect(connect(access()).list(clusters)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(message),
    });
  });

  it('reports an empty token file, and works once it has a token', async () => {
    const tokenFile = await file('token', '\n');
    const hub = connect({ url, tokenFile, caData });
    await expect(hub.list(clusters)).rejects.toThrow(/token file .* is empty/);
    await file('token', 'first');
    await hub.list(clusters);
    expect(statuses()).toEqual([200]);
  });

  const SECRET = 'hunter2';

  async function failureOf(access: ConnectionConfig): Promise<string> {
    const error = await connect(access)
      .list(clusters)
      .then(
        () => undefined,
        (thrown: Error) => thrown,
      );
    // What a log would show, with every cause.
    expect(inspect(error, { depth: 10 })).not.toContain(SECRET);
    return error?.message ?? 'no error';
  }

  it.each<[string, string, RegExp]>([
    [
      'is indented wrongly',
      `users:\n- name: backend\n  user:\n    token: ${SECRET}\n   x: y\n`,
      /is not valid: bad indent|is not valid: .*line 5, column \d+/,
    ],
    [
      'has a line of text where a key is expected',
      `users: []\n${SECRET}\nclusters: []\n`,
      /is not valid: .*line 2, column \d+/,
    ],
    [
      'has an unexpected token',
      `users: [ { user: { token: "${SECRET}" } } ]]${SECRET}\n`,
      /is not valid: .*line 1, column \d+/,
    ],
    [
      'has a text that does not end',
      `users:\n  - user: { token: "${SECRET}\n`,
      /is not valid: .*line \d+, column \d+/,
    ],
    ['is a token', `${SECRET}\n`, /has no cluster for its current context/],
    [
      'has an alias of nothing',
      `users: *${SECRET}\n`,
      /is not valid: it is not a kubeconfig/,
    ],
    [
      'lacks a name',
      `users:\n- user: { token: ${SECRET} }\n`,
      /is not valid: users\[0\]\.name is missing/,
    ],
  ])('quotes nothing of a kubeconfig that %s', async (_, text, message) => {
    const path = await file('kubeconfig', text);
    expect(await failureOf({ kubeconfig: { path } })).toMatch(message);
  });

  it.each<[string, string, RegExp]>([
    [
      'prints something else than JSON',
      `echo '{"status":'; echo ' ${SECRET}${SECRET}${SECRET}${SECRET}${SECRET}${SECRET} }'`,
      /output of its credential plugin is not JSON( \(line 2, column \d+\))?/,
    ],
    [
      'prints no credential',
      `echo '{"x":"${SECRET}"}'`,
      /plugin failed, or printed no/,
    ],
    ['fails', `echo ${SECRET} >&2; exit 1`, /its credential plugin failed/],
  ])(
    'quotes nothing of a credential plugin that %s',
    async (_, run, message) => {
      const command = await file('plugin.sh', `#!/bin/sh\n${run}\n`);
      await chmod(command, 0o700);
      const exec = { command, interactiveMode: 'Never' };
      expect(
        await failureOf({ kubeconfig: await kubeconfig({ exec }) }),
      ).toMatch(message);
    },
  );

  it('names the code of a credential plugin that does not exist', async () => {
    const exec = { command: '/nowhere/plugin', args: [SECRET] };
    expect(await failureOf({ kubeconfig: await kubeconfig({ exec }) })).toMatch(
      /credential plugin cannot be started \(ENOENT\)/,
    );
  });

  it('quotes nothing of a client key that is not valid', async () => {
    const data = Buffer.from(SECRET).toString('base64');
    const user = {
      'client-certificate-data': data,
      'client-key-data': data,
    };
    expect(await failureOf({ kubeconfig: await kubeconfig(user) })).toMatch(
      /PEM routines::no start line/,
    );
  });

  it.each([
    `https://admin:${SECRET}@hub.example.com`,
    `http://localhost:${SECRET}@hub.example.com`,
    'http://hub.example.com',
    'http://127.0.0.1.example.com',
    SECRET,
  ])('sends nothing to the server %s of a kubeconfig', async address => {
    const config = {
      clusters: [{ name: 'hub', cluster: { server: address } }],
      users: [{ name: 'backend', user: { token: 'first' } }],
      contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'backend' } }],
      'current-context': 'hub',
    };
    const path = await file('kubeconfig', stringify(config));
    expect(await failureOf({ kubeconfig: { path } })).toMatch(
      /the server of the current cluster in the kubeconfig .* must be an address/,
    );
  });

  it('says what to set in a kubeconfig without a current context', async () => {
    const path = await file('kubeconfig', 'clusters: []\n');
    await expect(
      connect({ kubeconfig: { path } }).list(clusters),
    ).rejects.toThrow(
      /no cluster for its current context. Set current-context/,
    );
  });
});

describe('in-cluster access', () => {
  it('is that of every pod to its cluster', () => {
    const files = {
      tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
      caFile: '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
    };
    expect(
      inClusterAccess({
        KUBERNETES_SERVICE_HOST: '10.0.0.1',
        KUBERNETES_SERVICE_PORT: '443',
      }),
    ).toEqual({ url: 'https://10.0.0.1:443', ...files });
    expect(
      inClusterAccess({
        KUBERNETES_SERVICE_HOST: 'fd00::1',
        KUBERNETES_SERVICE_PORT: '443',
      }),
    ).toEqual({ url: 'https://[fd00::1]:443', ...files });
  });

  it('fails outside of a pod', () => {
    expect(() => inClusterAccess({})).toThrow(
      /KUBERNETES_SERVICE_HOST .* not set.*inCluster is for/,
    );
  });
});
