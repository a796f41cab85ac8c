import { randomUUID, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { forLocalClients, listen } from 'apimachinery';
import { requireGit } from './git';
import { createGitRepositories, type GitRepositories } from './gitRepositories';
import { answerApi } from './giteaApi';
import { showPage } from './pages';
import { createPullRequests } from './pullRequests';
import { send } from './send';
import { serveGit } from './smartHttp';

const HOST = '127.0.0.1';
const API = '/api/v1/';
/** `/owner/name.git/info/refs` and the two services. */
const SMART_HTTP =
  /^\/([^/]+)\/([^/]+)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/;

const MERGE_PAGE = /^\/[^/]+\/[^/]+\/pulls\/[0-9]+\/merge$/;

/** A running Git server. */
export interface GitServer {
  /** `http://127.0.0.1:<port>`; the repository of an organization is at `<url>/<owner>/<name>.git`. */
  readonly url: string;
  readonly username: string;
  /** Everybody may read; a push, and a new repository, need this password. */
  readonly password: string;
  readonly repositories: GitRepositories;
  stop(): Promise<void>;
}

/**
 * Serves the repositories of a folder on loopback: Git's smart HTTP protocol, the part of Gitea's API that Backstage's action
 * `publish:gitea` and its URL reader use and that of pull requests, and pages with the files and the pull requests. An organization exists as soon as it is asked for.
 * @throws Error where there is no git, or where the port is taken
 */
export async function startGitServer(options: {
  readonly folder: string;
  /** 0, the default, chooses a free port. */
  readonly port?: number;
  readonly username?: string;
  /** By default a new one. */
  readonly password?: string;
}): Promise<GitServer> {
  const { folder, port = 0, username = 'fleet' } = options;
  const { password = randomUUID() } = options;
  requireGit();
  const repositories = createGitRepositories(folder);
  const pullRequests = createPullRequests(repositories);
  let url = '';

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const { pathname, search } = new URL(request.url ?? '/', url);
    const user = isAuthorized(request, username, password)
      ? username
      : undefined;
    if (request.headers.authorization && !user) {
      refuseUser(response, 'The user name or the password is wrong');
      return;
    }
    const [, owner, name, service] = SMART_HTTP.exec(pathname) ?? [];
    if (service) {
      const isPush =
        service === 'git-receive-pack' ||
        search.includes('service=git-receive-pack');
      if (!repositories.has({ owner, name })) {
        send(response, 404, `There is no repository ${owner}/${name}`);
      } else if (isPush && !user) {
        refuseUser(response, 'A push needs the user name and the password');
      } else {
        await serveGit(request, response, {
          ...{ folder, path: pathname, query: search.slice(1), user },
        });
        if (service === 'git-receive-pack') {
          repositories.pushed({ owner, name });
        }
      }
    } else if (pathname.startsWith(API)) {
      await answerApi(request, response, {
        repositories,
        pullRequests,
        url,
        path: pathname.slice(API.length),
        user,
        refuse: message => refuseUser(response, message),
      });
    } else {
      const merge = request.method === 'POST' && MERGE_PAGE.test(pathname);
      if (merge && !user) {
        refuseUser(response, 'A merge needs the user name and the password');
      } else {
        showPage(response, {
          ...{ repositories, pullRequests, url, pathname },
          merge,
        });
      }
    }
  }

  const server = createServer(
    forLocalClients(
      (request, response) => {
        handle(request, response).catch(error => {
          if (response.headersSent) {
            response.destroy(error);
          } else {
            const isAddress = error instanceof URIError;
            send(response, isAddress ? 400 : 500, `${error}`);
          }
        });
      },
      { ownPages: true },
    ),
  );
  await listen(server, port, HOST);
  url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    url,
    username,
    password,
    repositories,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

function refuseUser(response: ServerResponse, message: string) {
  response.setHeader('WWW-Authenticate', 'Basic realm="git"');
  send(response, 401, message);
}

function isAuthorized(
  { headers }: IncomingMessage,
  username: string,
  password: string,
): boolean {
  const [scheme = '', given = ''] = (headers.authorization ?? '').split(' ');
  const wanted = Buffer.from(
    Buffer.from(`${username}:${password}`).toString('base64'),
  );
  const actual = Buffer.from(given);
  return (
    scheme.toLowerCase() === 'basic' &&
    actual.length === wanted.length &&
    timingSafeEqual(actual, wanted)
  );
}
