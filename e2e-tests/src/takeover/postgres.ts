import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { retry } from '../polling';
import { collectOutput } from '../processes/collectOutput';
import { findFreePorts } from '../processes/freePorts';

const run = promisify(execFile);

/** Debian's folder for PostgreSQL programs. */
const DEBIAN = '/usr/lib/postgresql';
/** The user that Debian's package creates. PostgreSQL refuses to run as root. */
const USER = 'postgres';

/** What to do if {@link findPostgres} finds none. */
export const INSTALL_POSTGRES =
  'install PostgreSQL (on Debian: apt-get install postgresql)';

/** A PostgreSQL server for one test, on loopback. */
export interface Postgres {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Rows of a query, each as the text of its columns. */
  query(database: string, sql: string): Promise<string[][]>;
  stop(): Promise<void>;
}

/** The program folder of the newest installed PostgreSQL; undefined if there is none. */
export function findPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map(version => join(DEBIAN, version, 'bin'))
    .find(folder => existsSync(join(folder, 'initdb')));
}

/** Starts an empty server without durability; it ends with this process. */
export async function startPostgres(programs: string): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-postgres-'));
  const user = await serverUser();
  if (user) {
    await chown(folder, user.uid, user.gid);
  }
  const data = join(folder, 'data');
  await run(
    join(programs, 'initdb'),
    [
      ...['-D', data, '-U', USER, '--auth=trust'],
      ...['--encoding=UTF8', '--locale=C', '--no-sync'],
    ],
    { ...user, cwd: folder },
  );
  const host = '127.0.0.1';
  const [port] = await findFreePorts(1);
  const server = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'INT'],
      ...(user
        ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
        : []),
      ...[join(programs, 'postgres'), '-D', data, '-p', String(port)],
      ...['-c', `listen_addresses=${host}`],
      ...['-c', `unix_socket_directories=${folder}`],
      ...['-c', 'fsync=off', '-c', 'max_connections=300'],
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const log = collectOutput(server.stderr);
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
  try {
    await retry(() => query(USER, 'SELECT 1'), {
      isRetryable: () => server.exitCode === null,
    });
  } catch (error) {
    throw new Error(`PostgreSQL does not start:\n${log()}`, { cause: error });
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

/** The user to run the server as; undefined if this process does not run as root. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
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
      `PostgreSQL cannot run as root, and the user "${USER}" does not exist: ${INSTALL_POSTGRES}, or run the tests as another user`,
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}
