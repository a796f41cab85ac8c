import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { retry } from '../polling';
import { collectOutput } from '../processes/collectOutput';
import { findFreePorts } from '../processes/freePorts';
import type { Postgres } from './postgres';

const ROOT = join(__dirname, '../../..');
/** Ends a process when its parent ends, however the parent ends. */
const STOP_WITH_PARENT = join(ROOT, 'scripts/stop-with-parent.cjs');

/** The backend requires a window that is at least 9 s shorter than the timeout. */
const RUN_WINDOW = { seconds: 2 };
const SCHEDULE = {
  timeout: { seconds: 11 },
  // So often Backstage looks for a free claim. At long intervals, the same replica may get it again and again.
  frequency: { milliseconds: 100 },
};

/**
 * How long to wait for a replica: for hangs only. It loads a whole portal when it starts, and Backstage's own check for
 * expired claims is every minute.
 */
export const LIMIT_MS = 150_000;

const CONTROLLERS = [
  'clusterImport',
  'propagation',
  'applicationStatus',
  'aggregation',
];

/** One of several example backends that share a database and a hub. */
export interface Replica {
  readonly name: string;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
  /** Sends SIGSTOP: the process stops and does not notice that time passes. */
  pause(): void;
  /** Sends SIGCONT. */
  resume(): void;
}

/** Starts a replica; resolves once its readiness check passes. */
export async function startReplica(options: {
  /** Application name of its database connections. */
  readonly name: string;
  readonly postgres: Postgres;
  readonly kubeconfig: string;
  /** Folder for its own folder `<name>`. */
  readonly folder: string;
}): Promise<Replica> {
  const { name, postgres, kubeconfig, folder } = options;
  const [port] = await findFreePorts(1);
  const url = `http://localhost:${port}`;
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  // Backstage compiles the configuration schemas of all packages that it finds from its folder on, only to redact
  // secrets in logs. It finds this one, which has none: half of the time of a start.
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name }));
  const config = join(cwd, 'app-config.yaml');
  writeFileSync(
    config,
    stringify({
      app: { baseUrl: url, disableStaticFallbackCache: true },
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
      // Their paths are relative to the folder of the example backend.
      catalog: { locations: [] },
      argocdFleet: {
        hubs: [{ name: 'hub', kubeconfig: { path: kubeconfig } }],
        controllers: Object.fromEntries(
          CONTROLLERS.map(controller => [
            controller,
            {
              schedule: SCHEDULE,
              runWindow: RUN_WINDOW,
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
      cwd,
      // With NODE_ENV=test the scheduler does not release expired claims.
      env: {
        ...process.env,
        NODE_ENV: 'development',
        ARGOCD_FLEET_KUBECONFIG: kubeconfig,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const output = collectOutput(child.stdout, child.stderr);
  const ended = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await retry(() => checkReadiness(url), {
      limitMs: LIMIT_MS,
      intervalMs: 200,
      isRetryable: () => child.exitCode === null,
    });
  } catch (error) {
    const { exitCode } = child;
    await kill();
    throw new Error(
      `Replica ${name} is not ready (${exitCode === null ? error : `ended with ${exitCode}`}):\n${output().slice(-4000)}`,
      { cause: error },
    );
  }
  return {
    name,
    kill,
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  };
}

async function checkReadiness(url: string): Promise<void> {
  const response = await fetch(`${url}/.backstage/health/v1/readiness`, {
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) {
    throw new Error(`readiness check failed: ${response.status}`);
  }
}
