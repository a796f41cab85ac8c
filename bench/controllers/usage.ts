/** Bytes in use after a full collection. @throws Error where node was started without `--expose-gc` */
export function heapUsed(): number {
  if (!globalThis.gc) {
    throw new Error('Heap can only be measured with --expose-gc');
  }
  // The second collection frees what the first one only finalized.
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** CPU time of this process in milliseconds, since `before` or since its start. */
export function cpuMs(before?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
