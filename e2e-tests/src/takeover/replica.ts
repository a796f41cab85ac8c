import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePort } from './freePort';
import type { Postgres } from './postgres';

const ROOT = join(__dirname, '../../..');
const READY_MS = 240_000;
/** Ends a process with the one that started it, however that ends. */
const STOP_WITH_PARENT = join(ROOT, 'scripts/stop-with-parent.cjs');

/** Seconds; the shortest that the configuration takes is a run window of 8 s less than the timeout. */
export const SCHEDULE = { timeout: 12, runWindow: 3, frequency: 1 };
/** How often the scheduler looks for claims whose time is over, in seconds: nothing that could be configured. */
const JANITOR = 60;
/** Milliseconds within which another process has taken over, by this configuration: a claim's time, the janitor's round, the next look. */
export const TAKE_OVER_MS =
  1000 * (SCHEDULE.timeout + JANITOR + Math.min(5, SCHEDULE.frequency));

const CONTROLLERS = [
  'clusterImport',
  'propagation',
  'applicationStatus',
  'aggregation',
];

/** One of several processes of the whole example backend that share a database and a hub. */
export interface Replica {
  readonly name: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGSTOP: it does nothing, and learns nothing of the time that passes. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
}

/** Starts a replica; resolves once it says that it is ready. */
export async function startReplica(options: {
  /** Its name as a client of the database. */
  readonly name: string;
  readonly postgres: Postgres;
  readonly kubeconfig: string;
  /** For its configuration; its own. */
  readonly folder: string;
}): Promise<Replica> {
  const { name, postgres, kubeconfig, folder } = options;
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const config = join(folder, `${name}.yaml`);
  writeFileSync(
    config,
    stringify({
      app: { baseUrl: url },
      backend: {
        baseUrl: url,
        listen: { host: '127.0.0.1', port },
        database: {
          client: 'pg',
          connection: {
            host: postgres.host,
            port: postgres.port,
            user: postgres.user,
            application_name: name,
          },
        },
      },
      argocdFleet: {
        hubs: [{ name: 'hub', kubeconfig: { path: kubeconfig } }],
        controllers: Object.fromEntries(
          CONTROLLERS.map(controller => [
            controller,
            {
              schedule: {
                frequency: { seconds: SCHEDULE.frequency },
                timeout: { seconds: SCHEDULE.timeout },
              },
              runWindow: { seconds: SCHEDULE.runWindow },
              fullPassEvery: { seconds: 1 },
            },
          ]),
        ),
      },
    }),
  );
  const backend = join(ROOT, 'packages/backend');
  const fromBackend = createRequire(join(backend, 'package.json'));
  const child = spawn(
    process.execPath,
    [
      ...['--require', STOP_WITH_PARENT],
      ...[
        '--require',
        fromBackend.resolve('@backstage/cli/config/nodeTransform.cjs'),
      ],
      join(backend, 'src/index.ts'),
      ...['--config', join(ROOT, 'app-config.yaml'), '--config', config],
    ],
    {
      cwd: backend,
      // Under NODE_ENV=test the scheduler frees no claim of the dead.
      env: {
        ...process.env,
        NODE_ENV: 'development',
        ARGOCD_FLEET_KUBECONFIG: kubeconfig,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const said: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', text => {
      said.push(text);
      said.splice(0, said.length - 100);
    });
  }
  const ended = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await untilReady(url, () =>
      child.exitCode === null ? undefined : `ended with ${child.exitCode}`,
    );
  } catch (error) {
    await kill();
    throw new Error(
      `Replica ${name} did not come up (${error}):\n${said.join('').slice(-4000)}`,
      { cause: error },
    );
  }
  return {
    name,
    kill,
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  };
}

async function untilReady(url: string, problem: () => string | undefined) {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const ready = await fetch(`${url}/.backstage/health/v1/readiness`, {
      signal: AbortSignal.timeout(5_000),
    }).then(
      response => response.ok,
      () => false,
    );
    if (ready) {
      return;
    }
    const reason =
      problem() ??
      (Date.now() > deadline ? `not ready in ${READY_MS / 1000} s` : undefined);
    if (reason) {
      throw new Error(reason);
    }
    await new Promise(resolve => {
      setTimeout(resolve, 200);
    });
  }
}
