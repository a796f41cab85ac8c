import { availableParallelism, cpus } from 'node:os';
import { cpuMs } from './usage';

/** Use of the machine during a measurement. */
export interface MachineUsage {
  /** CPU time in milliseconds of this process. */
  readonly ownCpuMs: number;
  /** CPU time in milliseconds of each of the hub's programs. */
  readonly hubCpuMs: Readonly<Record<string, number>>;
  /** Unused share of all processors, 0 to 1. */
  readonly idle: number;
  /** Share of all processors that other programs used, 0 to 1. If it is high, measured seconds mean little. */
  readonly others: number;
}

/**
 * Starts a measurement; the returned function ends it.
 * @param metrics - reads the Prometheus metrics of each of the hub's programs
 */
export async function measureMachine(
  metrics: Readonly<Record<string, () => Promise<string>>>,
): Promise<() => Promise<MachineUsage>> {
  const hubCpu = async () => {
    const texts = Object.entries(metrics).map(
      async ([program, read]) => [program, processCpuMs(await read())] as const,
    );
    return Object.fromEntries(await Promise.all(texts));
  };
  const hubBefore = await hubCpu();
  const ownBefore = process.cpuUsage();
  const idleBefore = idleMs();
  const startedAt = performance.now();
  return async () => {
    const capacityMs = (performance.now() - startedAt) * availableParallelism();
    const idle = idleMs() - idleBefore;
    const ownCpuMs = cpuMs(ownBefore);
    const hubAfter = await hubCpu();
    const hubCpuMs = Object.fromEntries(
      Object.entries(hubAfter).map(([program, after]) => [
        program,
        after - hubBefore[program],
      ]),
    );
    const used = Object.values(hubCpuMs).reduce((a, b) => a + b, ownCpuMs);
    return {
      ownCpuMs,
      hubCpuMs,
      idle: idle / capacityMs,
      others: Math.max(0, 1 - (idle + used) / capacityMs),
    };
  };
}

function idleMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0);
}

/** The counter `process_cpu_seconds_total` of Prometheus's default collectors, in milliseconds. */
function processCpuMs(metrics: string): number {
  const [, seconds] = /^process_cpu_seconds_total (\S+)$/m.exec(metrics) ?? [];
  if (!seconds) {
    throw new Error('There is no process_cpu_seconds_total in these metrics');
  }
  return Number(seconds) * 1000;
}
