// An embedded hub that reports figures to its parent: measuredHub.ts [SNAPSHOT]
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { EmbeddedHub, startEmbeddedHub } from 'embedded-hub';

const [snapshot] = process.argv.slice(2);
const delay = monitorEventLoopDelay({ resolution: 10 });
const MIB = 1024 * 1024;
const TICK_MS = 10;

/**
 * The most CPU time of this thread between two ticks. Unlike the delay, it does not include other processes on the
 * machine.
 */
const cpu = { last: process.threadCpuUsage(), longestMs: 0 };

function tick() {
  const { user, system } = process.threadCpuUsage(cpu.last);
  cpu.last = process.threadCpuUsage();
  cpu.longestMs = Math.max(cpu.longestMs, (user + system) / 1000);
}

/** Figures since the last call. */
function figures() {
  const { rss, heapUsed } = process.memoryUsage();
  const result = {
    rssMiB: Math.round(rss / MIB),
    // maxRSS is in KiB.
    peakRssMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    heapMiB: Math.round(heapUsed / MIB),
    delayMs: {
      p50: Math.round(delay.percentile(50) / 1e5) / 10,
      p99: Math.round(delay.percentile(99) / 1e5) / 10,
      max: Math.round(delay.max / 1e5) / 10,
      maxOwnCpu: Math.round(cpu.longestMs * 10) / 10,
    },
  };
  delay.reset();
  cpu.longestMs = 0;
  return result;
}

function send(bench: object) {
  process.send?.({ bench });
}

async function handle(hub: EmbeddedHub, request: unknown) {
  if (request === 'stop') {
    await hub.stop();
    process.disconnect();
    return;
  }
  if (typeof request === 'object' && request && 'save' in request) {
    const started = performance.now();
    const saved = await hub.saveSnapshot(String(request.save));
    const ms = Math.round(performance.now() - started);
    send({ ...figures(), saved: { ...saved, ms } });
    return;
  }
  send(figures());
}

async function main() {
  const started = performance.now();
  const hub = await startEmbeddedHub({ snapshot, logger: console });
  const startMs = Math.round(performance.now() - started);
  delay.enable();
  cpu.last = process.threadCpuUsage();
  setInterval(tick, TICK_MS).unref();
  process.on('message', request => {
    void handle(hub, request).catch(fail);
  });
  send({
    url: hub.url,
    startMs,
    sinceProcessMs: Math.round(performance.now()),
    ...figures(),
  });
}

function fail(error: unknown) {
  process.stderr.write(
    `${error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
}

main().catch(fail);
