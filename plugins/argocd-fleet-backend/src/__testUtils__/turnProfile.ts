import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';

/** A turn of the event loop: for how many milliseconds of CPU time each part of the program kept it busy. */
export interface Turn {
  /** By part: those that were asked for, with what they call; V8's garbage `collector`; and all `others`. */
  readonly ms: Readonly<Record<string, number>>;
  /** The functions of these parts that took most of it, such as `12 ms readRow model/views/rows.ts`. */
  readonly functions: readonly string[];
}

/** What the files of a part of the program are called, by part. */
export type Parts = Readonly<Record<string, RegExp>>;

/** A turn that was long enough to be looked at. */
export interface Tick {
  /** Microseconds of the monotonic clock. */
  readonly start: number;
  readonly end: number;
  /** CPU time, which is less where the thread had to wait for others on the machine. */
  readonly cpuMs: number;
}

/** Measures what keeps the process busy between two timers. */
export interface TurnProfile {
  /**
   * The turn since the last call in which the backend's functions, `own`, took longest; undefined if they took no more
   * than so many milliseconds in any. To read a profile takes most of a second, so it is read only after a turn that was
   * that long as a whole.
   */
  longestOver(maxMs: number): Promise<Turn | undefined>;
  stop(): void;
}

const SAMPLE_MICROSECONDS = 500;
const TICK_MS = 5;
/** Shorter turns are not looked at. */
const MIN_TURN_MS = 10;
const NAMED = 5;
const COLLECTOR = 'collector';
const OTHERS = 'others';

/** Besides them there are the test, an embedded hub in the process, and the framework. */
const PARTS: Parts = {
  own: /\/plugins\/argocd-fleet-backend\/src\/(?!systemTests\/|.*__testUtils__)/,
};

/** Starts measuring the thread of the caller. */
export async function startTurnProfile(): Promise<TurnProfile> {
  const session = new Session();
  session.connect();
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
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', {
    interval: SAMPLE_MICROSECONDS,
  });
  await session.post('Profiler.start');
  return {
    async longestOver(maxMs) {
      if (ticks.every(({ cpuMs }) => cpuMs <= maxMs)) {
        ticks = [];
        return undefined;
      }
      const { profile } = await session.post('Profiler.stop');
      const turn = longestOf(turnsOf(profile, ticks, PARTS), 'own');
      await session.post('Profiler.start');
      // What this took is no turn of the backend.
      ticks = [];
      start = microseconds();
      cpu = process.threadCpuUsage();
      return turn.ms.own > maxMs ? turn : undefined;
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

/** The turn in which the part took longest. */
export function longestOf(turns: readonly Turn[], part: string): Turn {
  const none: Turn = { ms: { [part]: 0 }, functions: [] };
  return turns.reduce((a, b) => (b.ms[part] > a.ms[part] ? b : a), none);
}

/** What the turns of a profile were made of. */
export function turnsOf(
  profile: Profiler.Profile,
  ticks: readonly Tick[],
  parts: Parts,
): Turn[] {
  const owners = ownersOf(profile, parts);
  const { samples = [], timeDeltas = [] } = profile;
  let time = profile.startTime;
  let sample = 0;
  return ticks.map(({ start, end, cpuMs }) => {
    const ms: Record<string, number> = Object.fromEntries(
      [...Object.keys(parts), COLLECTOR, OTHERS].map(part => [part, 0]),
    );
    const functions = new Map<string, number>();
    let busy = 0;
    for (; sample < samples.length && time < end; sample += 1) {
      const delta = (timeDeltas[sample + 1] ?? 0) / 1_000;
      time += timeDeltas[sample];
      const owner = owners.get(samples[sample]);
      if (time >= start && owner) {
        const { part, name } = owner;
        busy += delta;
        ms[part] += delta;
        if (name) {
          functions.set(name, (functions.get(name) ?? 0) + delta);
        }
      }
    }
    const share = Math.min(1, cpuMs / busy);
    return {
      ms: Object.fromEntries(
        Object.entries(ms).map(([part, each]) => [part, each * share]),
      ),
      functions: [...functions]
        .sort(([, a], [, b]) => b - a)
        .slice(0, NAMED)
        .map(([name, each]) => `${Math.round(each * share)} ms ${name}`),
    };
  });
}

interface Owner {
  readonly part: string;
  /** The innermost function of the part. */
  readonly name?: string;
}

/** Whose each node of the profile is; without those in which the thread was idle. */
function ownersOf(
  { nodes }: Profiler.Profile,
  parts: Parts,
): ReadonlyMap<number, Owner> {
  const parents = new Map<number, Profiler.ProfileNode>();
  for (const node of nodes) {
    node.children?.forEach(child => parents.set(child, node));
  }
  function ownerOf(node: Profiler.ProfileNode): Owner {
    if (node.callFrame.functionName === '(garbage collector)') {
      return { part: COLLECTOR };
    }
    for (
      let each: Profiler.ProfileNode | undefined = node;
      each;
      each = parents.get(each.id)
    ) {
      const { functionName, url } = each.callFrame;
      for (const [part, files] of Object.entries(parts)) {
        if (files.test(url)) {
          const file = url.replace(/.*\/(src|dist)\//, '');
          return { part, name: `${functionName} ${file}` };
        }
      }
    }
    return { part: OTHERS };
  }
  return new Map(
    nodes
      .filter(({ callFrame }) => callFrame.functionName !== '(idle)')
      .map(node => [node.id, ownerOf(node)]),
  );
}
