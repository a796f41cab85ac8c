// Memory and idle cost with a large fleet: size.ts KUBECONFIG; run with --expose-gc.
import { createControllersUnderTest, until } from './controllersUnderTest';
import { cpuMs, heapUsed } from './usage';

const [kubeconfig] = process.argv.slice(2);
const CONTROLLERS = ['propagation', 'applicationStatus'];
const PASS_EVERY_MS = 400;
const PASSES = 10;

async function main() {
  const empty = heapUsed();
  const beforeList = process.cpuUsage();
  const controllers = await createControllersUnderTest({
    kubeconfig,
    fullPassEveryMs: PASS_EVERY_MS,
  });
  const { cache } = controllers;
  const readingCpuMs = cpuMs(beforeList);
  const objects = cache.applications.size + cache.works.size;
  const cached = heapUsed();

  // Wait until the controllers have nothing left to write.
  const stopAll = controllers.start(...CONTROLLERS);
  const passed = () => CONTROLLERS.map(name => controllers.passes(name));
  const written = () => CONTROLLERS.map(name => controllers.writes(name));
  for (let writes = ''; writes !== String(written());) {
    writes = String(written());
    const begun = passed();
    await until(
      () => passed().every((count, i) => count > begun[i] + 1),
      'two passes of each controller',
      1_200_000,
    );
  }
  await stopAll();
  controllers.requests();
  const reconciled = heapUsed();

  // The CPU time of an idle process is subtracted from that of the passes.
  const idleFor = PASSES * PASS_EVERY_MS;
  const idleSince = performance.now();
  const beforeIdle = process.cpuUsage();
  await until(() => performance.now() > idleSince + idleFor, 'the idle time');
  const idleMs = cpuMs(beforeIdle);
  const passCpuMs: Record<string, number> = {};
  for (const name of CONTROLLERS) {
    const stop = controllers.start(name);
    // The first pass begins at the start and is not measured.
    const first = controllers.passes(name);
    await until(() => controllers.passes(name) > first, 'the first pass');
    const begun = controllers.passes(name);
    const startedAt = performance.now();
    const before = process.cpuUsage();
    await until(() => controllers.passes(name) >= begun + PASSES, 'passes');
    const elapsed = performance.now() - startedAt;
    const idle = (idleMs * elapsed) / idleFor;
    passCpuMs[name] = Math.max(0, cpuMs(before) - idle) / PASSES;
    await stop();
  }
  const requests = controllers.requests();
  await controllers.close();
  process.send?.({
    bench: {
      applications: cache.applications.size,
      works: cache.works.size,
      heapBytesPerObject: (reconciled - empty) / objects,
      cachedBytesPerObject: (cached - empty) / objects,
      readingCpuUsPerObject: (readingCpuMs * 1000) / objects,
      passCpuMs,
      requestsOfPasses: requests,
    },
  });
  process.disconnect();
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
