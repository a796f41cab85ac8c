import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ssh2 from 'ssh2';
import { createCertificateAuthority } from '../../../__testUtils__/certificates';

/** Contents by their paths, from the root of the repository; null removes a file. */
export type Files = Readonly<Record<string, string | null>>;

/** Where the Applications of the tests find manifests, or find them not. */
export interface Sources {
  /** A Git repository that is there for everyone. */
  readonly repository: string;
  /** A server without TLS; `/401/` and `/403/` refuse, and `/charts/` is a repository of charts. */
  readonly http: string;
  /**
   * A server with the certificate of an unknown authority. It denies, as an admission webhook does, and is an API server
   * that cannot list what it has.
   */
  readonly https: string;
  /** The authority of that certificate, in PEM. */
  readonly authority: string;
  /** A server of SSH, and another host key under its name. */
  readonly ssh: string;
  readonly knownHosts: string;
  /** A private key, for no one's account. */
  readonly privateKey: string;
  /** Makes a commit of the branch `main`. */
  commit(files: Files): void;
  /** The newest commit. */
  head(): string;
  stop(): Promise<void>;
}

const DENIED = 'no Deployments on a Friday';

/** The index of a chart `web`, whose archive is not given to anyone. */
function chartIndex(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    entries: {
      web: [
        {
          ...{ apiVersion: 'v2', name: 'web', version: '1.2.3' },
          urls: [`${server}/401/web-1.2.3.tgz`],
        },
      ],
    },
  });
}

/** What an admission webhook answers that denies everything. */
function denial(body: string): string {
  const { apiVersion, kind, request } = JSON.parse(body);
  return JSON.stringify({
    ...{ apiVersion, kind },
    response: { uid: request.uid, allowed: false, status: { message: DENIED } },
  });
}

/** An aggregated API that says what it has and then gives none of it. */
function aggregatedApi(path: string): { status: number; body: object } {
  const [, apis, group, version, ...rest] = path.split('?')[0].split('/');
  if (apis !== 'apis' || !version) {
    return { status: 404, body: {} };
  }
  return rest.length > 0
    ? {
        status: 503,
        body: {
          ...{ apiVersion: 'v1', kind: 'Status', status: 'Failure' },
          ...{ reason: 'ServiceUnavailable', code: 503 },
          message: 'the server is currently unable to handle the request',
        },
      }
    : {
        status: 200,
        body: {
          ...{ apiVersion: 'v1', kind: 'APIResourceList' },
          groupVersion: `${group}/${version}`,
          resources: [
            {
              ...{ name: 'values', singularName: 'value', kind: 'Value' },
              ...{ namespaced: true, verbs: ['get', 'list', 'watch'] },
            },
          ],
        },
      };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

function closed(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise(resolve => {
    server.close(resolve);
  });
}

/** Starts the servers and makes an empty repository. */
export async function startSources(): Promise<Sources> {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'));
  const work = join(folder, 'repository');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', work, ...args], {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' },
        ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' },
      },
    });
  mkdirSync(work);
  git('init', '--quiet', '--initial-branch', 'main');

  const http = createHttpServer((request, response) => {
    const [, first] = request.url?.split('/') ?? [];
    if (first === '401' || first === '403') {
      response.statusCode = Number(first);
      response.setHeader('WWW-Authenticate', 'Basic realm="git"');
      response.end();
    } else if (request.url === '/charts/index.yaml') {
      response.end(chartIndex(`http://${request.headers.host}`));
    } else {
      response.statusCode = 404;
      response.end();
    }
  });
  const authority = createCertificateAuthority('nobody knows');
  const https = createHttpsServer(
    authority.issue('127.0.0.1'),
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', chunk => chunks.push(chunk));
      request.on('end', () => {
        response.setHeader('Content-Type', 'application/json');
        if (request.method === 'POST') {
          response.end(denial(Buffer.concat(chunks).toString()));
        } else {
          const { status, body } = aggregatedApi(request.url ?? '');
          response.statusCode = status;
          response.end(JSON.stringify(body));
        }
      });
    },
  );
  const addresses = {
    http: `http://127.0.0.1:${await listen(http)}`,
    https: `https://127.0.0.1:${await listen(https as unknown as Server)}`,
  };

  const [host, other, user] = [1, 2, 3].map(() =>
    ssh2.utils.generateKeyPairSync('ed25519'),
  );
  const ssh = new ssh2.Server({ hostKeys: [host.private] }, client => {
    // Every client leaves when it has seen the host key.
    client.on('error', () => {});
  });
  await new Promise<void>(resolve => {
    ssh.listen(0, '127.0.0.1', resolve);
  });
  const sshPort = (ssh.address() as AddressInfo).port;
  return {
    repository: `file://${work}`,
    ...addresses,
    authority: authority.cert,
    ssh: `ssh://git@127.0.0.1:${sshPort}/app.git`,
    knownHosts: `[127.0.0.1]:${sshPort} ${other.public}\n`,
    privateKey: user.private,
    commit(files) {
      for (const [path, content] of Object.entries(files)) {
        const target = join(work, path);
        if (content === null) {
          rmSync(target);
        } else {
          mkdirSync(dirname(target), { recursive: true });
          writeFileSync(target, content);
        }
      }
      git('add', '--all');
      git('commit', '--quiet', '--message', 'Change');
    },
    head: () => git('rev-parse', 'HEAD').toString().trim(),
    async stop() {
      await closed(http);
      await closed(https as unknown as Server);
      await new Promise(resolve => {
        ssh.close(resolve);
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
