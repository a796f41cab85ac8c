// Loaded into the measured backend with `--require`: answers its parent's requests for figures over IPC. No part of the
// product knows it.
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { isMainThread } = require('node:worker_threads');

const TICK_MS = 10;

function measure() {
  const delay = monitorEventLoopDelay({ resolution: TICK_MS });
  delay.enable();
  const most = { rss: 0, heap: 0, turnMs: 0 };
  let cpuBefore = process.cpuUsage();
  let turn = process.threadCpuUsage();

  // The most CPU time between two ticks: unlike the delay, it does not include other processes on the machine.
  const nextTurn = () => {
    const { user, system } = process.threadCpuUsage(turn);
    turn = process.threadCpuUsage();
    most.turnMs = Math.max(most.turnMs, (user + system) / 1000);
  };
  setInterval(nextTurn, TICK_MS).unref();
  const sampleMemory = () => {
    const { rss, heapUsed } = process.memoryUsage();
    most.rss = Math.max(most.rss, rss);
    most.heap = Math.max(most.heap, heapUsed);
    return { rss, heap: heapUsed };
  };
  setInterval(sampleMemory, 500).unref();

  /** Figures since the last call: CPU time and delays in milliseconds, memory in bytes. */
  function figures() {
    nextTurn();
    const { user, system } = process.cpuUsage(cpuBefore);
    const result = {
      cpuMs: (user + system) / 1000,
      ...sampleMemory(),
      mostRss: most.rss,
      mostHeap: most.heap,
      lateMs: { max: delay.max / 1e6, p99: delay.percentile(99) / 1e6 },
      longestTurnMs: most.turnMs,
      sinceStartMs: performance.now(),
    };
    cpuBefore = process.cpuUsage();
    Object.assign(most, { rss: 0, heap: 0, turnMs: 0 });
    delay.reset();
    return result;
  }

  process.on('message', request => {
    if (request === 'collect') {
      // The second collection frees what the first one only finalized.
      globalThis.gc();
      globalThis.gc();
      const { rss, heapUsed } = process.memoryUsage();
      figures();
      process.send({ bench: { rss, heap: heapUsed } });
    } else if (request === 'figures') {
      process.send({ bench: figures() });
    }
  });
  // Waiting for requests must not keep the process alive.
  process.channel.unref();
}

// Not in the forks and threads of the backend, which inherit `--require`.
if (isMainThread && process.channel && process.env.ARGOCD_FLEET_BENCH_PROBE) {
  delete process.env.ARGOCD_FLEET_BENCH_PROBE;
  measure();
}
