import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './freePort';

const run = promisify(execFile);

/** Where Debian has the programs of its PostgreSQL. */
const DEBIAN = '/usr/lib/postgresql';
/** The user that Debian's package makes: PostgreSQL refuses to run as root. */
const USER = 'postgres';
const READY_MS = 60_000;

/** What to do where {@link findPostgres} finds none. */
export const INSTALL_POSTGRES =
  'install PostgreSQL (on Debian: apt-get install postgresql)';

/** A server of this test alone, on loopback. */
export interface Postgres {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Rows of a query, each as the text of its columns. */
  query(database: string, sql: string): Promise<string[][]>;
  stop(): Promise<void>;
}

/** The folder of the newest PostgreSQL's programs; undefined where none is installed. */
export function findPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map(version => join(DEBIAN, version, 'bin'))
    .find(folder => existsSync(join(folder, 'initdb')));
}

/** Starts an empty server; it keeps nothing and ends with this process. */
export async function startPostgres(programs: string): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-postgres-'));
  const as = await ownUser();
  if (as) {
    await chown(folder, as.uid, as.gid);
  }
  const data = join(folder, 'data');
  await run(
    join(programs, 'initdb'),
    [
      ...['-D', data, '-U', USER, '--auth=trust'],
      ...['--encoding=UTF8', '--locale=C', '--no-sync'],
    ],
    { ...as, cwd: folder },
  );
  const host = '127.0.0.1';
  const port = await freePort();
  const server = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'INT'],
      ...(as
        ? [`--reuid=${as.uid}`, `--regid=${as.gid}`, '--clear-groups']
        : []),
      ...[join(programs, 'postgres'), '-D', data, '-p', String(port)],
      ...['-c', `listen_addresses=${host}`],
      ...['-c', `unix_socket_directories=${folder}`],
      ...['-c', 'fsync=off', '-c', 'max_connections=300'],
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const said: string[] = [];
  server.stderr.setEncoding('utf8').on('data', text => said.push(text));
  const ended = once(server, 'exit');
  const query = async (database: string, sql: string) => {
    const { stdout } = await run(join(programs, 'psql'), [
      ...['-h', host, '-p', String(port), '-U', USER, '-d', database],
      ...['-X', '-q', '-A', '-t', '-F', '\t', '-v', 'ON_ERROR_STOP=1'],
      ...['-c', sql],
    ]);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map(line => line.split('\t'));
  };
  const deadline = Date.now() + READY_MS;
  for (;;) {
    try {
      await query(USER, 'SELECT 1');
      break;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) {
        throw new Error(`PostgreSQL does not answer:\n${said.join('')}`, {
          cause: error,
        });
      }
    }
  }
  return {
    host,
    port,
    user: USER,
    query,
    async stop() {
      server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Who runs the server where we are root, who may not. */
async function ownUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const users = await readFile('/etc/passwd', 'utf8');
  const [, , uid, gid] =
    users
      .split('\n')
      .map(line => line.split(':'))
      .find(([name]) => name === USER) ?? [];
  if (!uid) {
    throw new Error(
      `There is no user "${USER}", as whom PostgreSQL is to run: ${INSTALL_POSTGRES}, or run the tests as somebody else than root`,
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}
