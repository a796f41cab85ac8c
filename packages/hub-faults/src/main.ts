import { parseArgs } from 'node:util';
import { Fault } from './fault';
import { startHubFaults } from './startHubFaults';

const USAGE =
  'usage: hub-faults --target KUBECONFIG [--context NAME] [--port N] [--kubeconfig FILE] [--seed N] [--fault JSON …]';

function parseInteger(option: string, text: string, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new Error(
      `--${option} ${text} is not valid: give a whole number from 0 to ${max}`,
    );
  }
  return value;
}

function parseFaultOption(text: string): Fault {
  try {
    return JSON.parse(text) as Fault;
  } catch (error) {
    throw new Error(
      `--fault ${text} is not valid JSON (${
        (error as Error).message
      }): give an object such as {"type":"conflict"}`,
    );
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      target: { type: 'string' },
      context: { type: 'string' },
      port: { type: 'string', default: '0' },
      kubeconfig: { type: 'string' },
      seed: { type: 'string', default: '1' },
      fault: { type: 'string', multiple: true, default: [] },
    },
  });
  if (!values.target) {
    throw new Error('--target is missing: name the kubeconfig of the hub');
  }
  const initial = values.fault.map(parseFaultOption);
  const faults = await startHubFaults({
    target: { kubeconfig: values.target, context: values.context },
    port: parseInteger('port', values.port, 65_535),
    kubeconfigPath: values.kubeconfig,
    seed: parseInteger('seed', values.seed, 2 ** 32 - 1),
  });
  try {
    initial.forEach(fault => faults.add(fault));
  } catch (error) {
    await faults.stop();
    throw error;
  }
  process.stdout.write(
    `hub faults listening on ${faults.url}, controlled at ${faults.url}/-/faults\n`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      faults.stop().then(() => process.exit(0), fail);
    });
  }
}

function fail(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${text}\n${USAGE}\n`);
  process.exit(1);
}

main().catch(fail);
