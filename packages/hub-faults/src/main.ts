import { parseArgs } from 'node:util';
import { Fault } from './fault';
import { startHubFaults } from './startHubFaults';

const USAGE =
  'usage: hub-faults --target KUBECONFIG [--context NAME] [--port N] [--kubeconfig FILE] [--seed N] [--fault JSON …]';

function wholeNumber(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new Error(
      `--${option} ${text} cannot be used: give a whole number from 0 to ${most}`,
    );
  }
  return value;
}

function readFault(text: string): Fault {
  try {
    return JSON.parse(text) as Fault;
  } catch (error) {
    throw new Error(
      `--fault ${text} is no JSON (${
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
  const initial = values.fault.map(readFault);
  const faults = await startHubFaults({
    target: { kubeconfig: values.target, context: values.context },
    port: wholeNumber('port', values.port, 65_535),
    kubeconfigPath: values.kubeconfig,
    seed: wholeNumber('seed', values.seed, 2 ** 32 - 1),
  });
  try {
    initial.forEach(fault => faults.add(fault));
  } catch (error) {
    await faults.stop();
    throw error;
  }
  process.stdout.write(
    `hub faults listening on ${faults.url}, switched by ${faults.url}/-/faults\n`,
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
