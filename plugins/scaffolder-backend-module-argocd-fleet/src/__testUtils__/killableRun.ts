import type { ArgocdFleetClient } from 'backstage-plugin-argocd-fleet-common';
import { contextFor } from './actionRun';

/** A point of a run at which its process can end: before and after each request and each stored checkpoint. */
type Tick = (point: string) => Promise<void>;

/** What a task keeps of a run for the next one. */
export type Checkpoints = Map<string, string>;

/** How a run ended. */
export interface RunEnd {
  /** Undefined where its process ended before. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** The points that it came to, in their order. */
  readonly points: readonly string[];
}

/**
 * Runs an action as a task of the scaffolder does, and ends its process at one of the points: from there on, nothing of it is
 * carried out any more.
 * @param killAt - number of the point, from 1; never by default
 */
export async function runUntil(
  options: {
    readonly input: object;
    readonly workspacePath?: string;
    readonly checkpoints: Checkpoints;
    run(tick: Tick, ctx: never): Promise<void>;
  },
  killAt = Infinity,
): Promise<RunEnd> {
  const { input, workspacePath, checkpoints } = options;
  const points: string[] = [];
  let end = () => {};
  const killed = new Promise<undefined>(resolve => {
    end = () => resolve(undefined);
  });
  const tick: Tick = point => {
    points.push(point);
    if (points.length < killAt) {
      return Promise.resolve();
    }
    end();
    return new Promise(() => {});
  };
  const { ctx, outputs } = contextFor(input, {
    ...(workspacePath && { workspacePath }),
    async checkpoint({ key, fn }: { key: string; fn(): Promise<unknown> }) {
      const kept = checkpoints.get(key);
      if (kept !== undefined) {
        return JSON.parse(kept);
      }
      const value = await fn();
      await tick(`before checkpoint ${key}`);
      checkpoints.set(key, JSON.stringify(value));
      await tick(`after checkpoint ${key}`);
      return value;
    },
  });
  const ended = options.run(tick, ctx).then(() => outputs());
  return { outputs: await Promise.race([ended, killed]), points };
}

/** The client with a point before and after each of its requests. */
export function ticking(
  client: Partial<ArgocdFleetClient>,
  tick: Tick,
): ArgocdFleetClient {
  return new Proxy(client as ArgocdFleetClient, {
    get:
      (target, name: keyof ArgocdFleetClient) =>
      async (...args: never[]) => {
        await tick(`before ${name}`);
        const answer = await (
          target[name] as (...all: never[]) => Promise<unknown>
        )(...args);
        await tick(`after ${name}`);
        return answer;
      },
  });
}
