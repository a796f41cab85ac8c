// Loaded into the measured backend with `--require`: answers its parent's requests for figures over IPC. No part of the
// product knows it.
const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector/promises');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { isMainThread } = require('node:worker_threads');

const TICK_MS = 10;
/** Shorter turns are not looked at in a profile. */
const MIN_TURN_MS = 20;

const microseconds = () => Number(process.hrtime.bigint() / 1_000n);

function measure() {
  const delay = monitorEventLoopDelay({ resolution: TICK_MS });
  delay.enable();
  const most = { rss: 0, heap: 0, turnMs: 0 };
  let cpuBefore = process.cpuUsage();
  let turn = process.threadCpuUsage();
  let turnStart = microseconds();
  let profiling;

  // The most CPU time between two ticks: unlike the delay, it does not include other processes on the machine.
  const nextTurn = () => {
    const { user, system } = process.threadCpuUsage(turn);
    turn = process.threadCpuUsage();
    const cpuMs = (user + system) / 1000;
    most.turnMs = Math.max(most.turnMs, cpuMs);
    const end = microseconds();
    if (cpuMs >= MIN_TURN_MS) {
      profiling?.ticks.push({ start: turnStart, end, cpuMs });
    }
    turnStart = end;
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

  /** Profiles until the next call, which writes what `turns.ts` reads. */
  async function profile(path) {
    if (!profiling) {
      const session = new Session();
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: 500 });
      await session.post('Profiler.start');
      profiling = { session, ticks: [] };
      return;
    }
    const { session, ticks } = profiling;
    profiling = undefined;
    const result = await session.post('Profiler.stop');
    session.disconnect();
    writeFileSync(path, JSON.stringify({ profile: result.profile, ticks }));
  }

  process.on('message', async request => {
    if (request === 'collect') {
      // The second collection frees what the first one only finalized.
      globalThis.gc();
      globalThis.gc();
      const { rss, heapUsed } = process.memoryUsage();
      figures();
      process.send({ bench: { rss, heap: heapUsed } });
    } else if (request === 'figures') {
      process.send({ bench: figures() });
    } else if (request.profile) {
      await profile(request.profile);
      process.send({ bench: true });
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
