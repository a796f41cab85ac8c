import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gitEnvironment } from './git';

/** A header block that never ends is no answer of git. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Answers a request of Git's smart HTTP protocol with `git http-backend`, which speaks CGI.
 * @param folder - of all repositories
 * @param path - of the request below it: `/owner/name.git/info/refs`
 * @param user - who is signed in; without one, git refuses a push
 * @returns when git has ended
 */
export async function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    readonly folder: string;
    readonly path: string;
    readonly query: string;
    readonly user: string | undefined;
  },
): Promise<void> {
  const { folder, path, query, user } = options;
  const { headers } = request;
  const child = spawn('git', ['http-backend'], {
    env: {
      ...gitEnvironment(),
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: headers['content-type'] ?? '',
      ...(headers['content-length'] && {
        CONTENT_LENGTH: headers['content-length'],
      }),
      ...(headers['content-encoding'] && {
        HTTP_CONTENT_ENCODING: headers['content-encoding'],
      }),
      ...(headers['git-protocol'] && {
        GIT_PROTOCOL: String(headers['git-protocol']),
      }),
      ...(user && { REMOTE_USER: user }),
    },
  });
  const errors: Buffer[] = [];
  child.stderr.on('data', chunk => errors.push(chunk));
  // Git closes its input as soon as it has read enough.
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  response.on('close', () => child.kill());
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });

  let head = Buffer.alloc(0);
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (response.headersSent) {
      response.write(chunk);
    } else {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end >= 0) {
        writeHead(response, head.subarray(0, end).toString());
        response.write(head.subarray(end + 4));
      } else if (head.length > MAX_HEADER_BYTES) {
        child.kill();
      }
    }
  }
  await ended;
  if (!response.headersSent) {
    throw new Error(
      `git http-backend: ${Buffer.concat(errors).toString().trim() || 'no answer'}`,
    );
  }
  response.end();
}

function writeHead(response: ServerResponse, head: string) {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === 'status') {
      status = Number.parseInt(value, 10);
    } else {
      response.setHeader(name, value);
    }
  }
  response.writeHead(status);
}
