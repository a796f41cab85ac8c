import { parseArgs } from 'node:util';

import { startGitServer } from 'git-server';

import { errorMessage } from './runtime/errorMessage';
import { loadScenario } from './scenario/loadScenario';
import { startSimulatedFleet } from './startSimulatedFleet';

/** The variable with the password for pushes to the Git server; without it, nobody knows it. */
const GIT_PASSWORD = 'ARGOCD_FLEET_GIT_PASSWORD';

const USAGE =
  'usage: simulated-fleet --kubeconfig FILE [--scenario FILE] [--speed N] [--no-seed] [--git-folder FOLDER --git-port N] [--verbose]';

async function main() {
  const { values } = parseArgs({
    options: {
      kubeconfig: { type: 'string' },
      scenario: { type: 'string' },
      speed: { type: 'string', default: '1' },
      'no-seed': { type: 'boolean', default: false },
      'git-folder': { type: 'string' },
      'git-port': { type: 'string', default: '0' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const path = values.kubeconfig ?? process.env.KUBECONFIG;
  if (!path) {
    throw new Error(
      `The kubeconfig of the hub is missing: pass --kubeconfig FILE or set KUBECONFIG.\n${USAGE}`,
    );
  }
  const speed = Number(values.speed);
  if (!(speed > 0)) {
    throw new Error(
      `--speed ${values.speed} is not a number greater than 0.\n${USAGE}`,
    );
  }
  const write = (level: string) => (message: string) =>
    process.stderr.write(`${new Date().toISOString()} ${level} ${message}\n`);
  const folder = values['git-folder'];
  const gitServer =
    folder === undefined
      ? undefined
      : await startGitServer({
          folder,
          port: Number(values['git-port']),
          password: process.env[GIT_PASSWORD],
        });
  const fleet = await startSimulatedFleet({
    gitServer,
    kubeconfig: { path },
    scenario: await loadScenario(values.scenario),
    speed,
    seed: !values['no-seed'],
    logger: {
      debug: values.verbose ? write('debug') : () => undefined,
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    },
  });
  const stopped = new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  try {
    await Promise.race([stopped, fleet.ready]);
    await stopped;
  } finally {
    await fleet.stop();
    await gitServer?.stop();
  }
}

// An explicit exit: a parent's IPC channel would keep the process alive.
main().then(
  () => process.exit(0),
  error => {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exit(1);
  },
);
