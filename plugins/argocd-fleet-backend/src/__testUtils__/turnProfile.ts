import { Session, type Profiler } from 'node:inspector';

/** A turn of the event loop: for how many milliseconds of CPU time each part of the program kept it busy. */
export interface Turn {
  /** Functions of the backend, and what they call. */
  readonly own: number;
  /** V8's garbage collector. */
  readonly collector: number;
  /** Everything else: the test, an embedded hub in the process, the framework. */
  readonly others: number;
  /** The functions of the backend that took most of it, such as `readRow model/views/rows.ts`. */
  readonly functions: readonly string[];
}

/** Measures what keeps the process busy between two timers. */
export interface TurnProfile {
  /** The turn since the last call in which the backend's own functions took longest. */
  longest(): Promise<Turn>;
  stop(): void;
}

const SAMPLE_MICROSECONDS = 500;
const TICK_MS = 5;
/** Shorter turns are not looked at. */
const MIN_TURN_MS = 10;
const NAMED = 5;
const OWN =
  /\/plugins\/argocd-fleet-backend\/src\/(?!systemTests\/|.*__testUtils__)/;

const NO_TURN: Turn = { own: 0, collector: 0, others: 0, functions: [] };

interface Tick {
  /** Microseconds of the monotonic clock. */
  readonly start: number;
  readonly end: number;
  /** CPU time, which is less where the thread had to wait for others on the machine. */
  readonly cpuMs: number;
}

/** Starts measuring the thread of the caller. */
export async function startTurnProfile(): Promise<TurnProfile> {
  const session = new Session();
  session.connect();
  const post = <R>(method: string, params = {}) =>
    new Promise<R>((resolve, reject) => {
      session.post(method, params, (error, result) =>
        error ? reject(error) : resolve(result as R),
      );
    });
  let ticks: Tick[] = [];
  let start = microseconds();
  let cpu = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(cpu);
    const end = microseconds();
    const cpuMs = (user + system) / 1000;
    if (cpuMs >= MIN_TURN_MS) {
      ticks.push({ start, end, cpuMs });
    }
    cpu = process.threadCpuUsage();
    start = end;
  }, TICK_MS);
  await post('Profiler.enable');
  await post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await post('Profiler.start');
  return {
    async longest() {
      const { profile } = await post<{ profile: Profiler.Profile }>(
        'Profiler.stop',
      );
      const turns = turnsOf(profile, ticks);
      await post('Profiler.start');
      // What this took is no turn of the backend.
      ticks = [];
      start = microseconds();
      cpu = process.threadCpuUsage();
      return turns.reduce((a, b) => (b.own > a.own ? b : a), NO_TURN);
    },
    stop() {
      clearInterval(timer);
      session.disconnect();
    },
  };
}

function microseconds(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

function turnsOf(profile: Profiler.Profile, ticks: readonly Tick[]): Turn[] {
  const parts = partsOf(profile);
  const { samples = [], timeDeltas = [] } = profile;
  const turns: Turn[] = [];
  let time = profile.startTime;
  let sample = 0;
  for (const { start, end, cpuMs } of ticks) {
    const sampled = { own: 0, collector: 0, others: 0 };
    const functions = new Map<string, number>();
    for (; sample < samples.length && time < end; sample += 1) {
      const ms = (timeDeltas[sample + 1] ?? 0) / 1_000;
      time += timeDeltas[sample];
      const { part, name } = parts.get(samples[sample])!;
      if (time >= start && part !== 'idle') {
        sampled[part] += ms;
        if (name) {
          functions.set(name, (functions.get(name) ?? 0) + ms);
        }
      }
    }
    const { own, collector, others } = sampled;
    const share = Math.min(1, cpuMs / (own + collector + others));
    turns.push({
      own: own * share,
      collector: collector * share,
      others: others * share,
      functions: [...functions]
        .sort(([, a], [, b]) => b - a)
        .slice(0, NAMED)
        .map(([name, ms]) => `${Math.round(ms * share)} ms ${name}`),
    });
  }
  return turns;
}

interface Part {
  readonly part: 'own' | 'collector' | 'others' | 'idle';
  /** Of the innermost function of the backend. */
  readonly name?: string;
}

/** What each node of the profile belongs to. */
function partsOf({ nodes }: Profiler.Profile): ReadonlyMap<number, Part> {
  const parents = new Map<number, Profiler.ProfileNode>();
  for (const node of nodes) {
    node.children?.forEach(child => parents.set(child, node));
  }
  function partOf(node: Profiler.ProfileNode): Part {
    const { functionName } = node.callFrame;
    if (functionName === '(garbage collector)') {
      return { part: 'collector' };
    }
    if (functionName === '(idle)') {
      return { part: 'idle' };
    }
    let each: Profiler.ProfileNode | undefined = node;
    while (each && !OWN.test(each.callFrame.url)) {
      each = parents.get(each.id);
    }
    return each
      ? {
          part: 'own',
          name: `${each.callFrame.functionName} ${each.callFrame.url.replace(/.*\/src\//, '')}`,
        }
      : { part: 'others' };
  }
  return new Map(nodes.map(node => [node.id, partOf(node)]));
}
