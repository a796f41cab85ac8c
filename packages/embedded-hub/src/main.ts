import { parseArgs } from 'node:util';
import { startEmbeddedHub } from './hub';

const USAGE =
  'usage: embedded-hub [--port N] [--kubeconfig FILE] [--snapshot FILE]';

function readArguments(): {
  port: number;
  kubeconfigPath?: string;
  snapshot?: string;
} {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      kubeconfig: { type: 'string' },
      snapshot: { type: 'string' },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(
      `--port ${values.port} is not a port: give a number from 0 (a free one) to 65535`,
    );
  }
  const { kubeconfig: kubeconfigPath, snapshot } = values;
  return { port, kubeconfigPath, snapshot };
}

async function main(): Promise<void> {
  const options = readArguments();
  const hub = await startEmbeddedHub({ ...options, logger: console });
  process.stdout.write(`embedded hub listening on ${hub.url}\n`);
  if (options.kubeconfigPath) {
    process.stdout.write(`kubeconfig: ${options.kubeconfigPath}\n`);
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      hub.stop().then(
        () => process.exit(0),
        error => fail(error),
      );
    });
  }
}

function fail(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${text}\n${USAGE}\n`);
  process.exit(1);
}

main().catch(fail);
