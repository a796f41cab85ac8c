import type { JsonObject } from '@backstage/types';
import { waitFor } from '../../../__testUtils__/waitFor';
import { composedHub, runForever } from './composedHub';

/** Propagation as the plugin puts it together, without the scheduler's claim: run after run until it is stopped. */
export interface PropagationUnderTest {
  /** Resolves once two full passes in a row, both begun after this call, have written nothing. */
  quiet(): Promise<void>;
  /** Writes that the hub accepted. */
  readonly writes: number;
  /** Whether an Application, `<namespace>/<name>`, is in its cache. */
  knows(application: string): boolean;
  /** Ends it at once, as far as that can be done without killing the process. */
  stop(): Promise<void>;
}

/** Starts a fresh instance, that knows nothing yet. */
export function startPropagation(
  kubeconfigPath: string,
  options: JsonObject = {},
): PropagationUnderTest {
  const { cache, client, runners } = composedHub(kubeconfigPath, {
    propagation: { fullPassEvery: '20ms', ...options },
  });
  const runner = runners.find(each => each.controller === 'propagation')!;
  const stop = new AbortController();
  const reading = cache.run(stop.signal);
  const running = runForever(runner, stop.signal);
  return {
    get writes() {
      return runner.status().writes ?? 0;
    },
    knows: application => cache.applications.get(application) !== undefined,
    async quiet() {
      let quietSince = Date.now();
      let writes = this.writes;
      let passes = new Set<string>();
      await waitFor(async () => {
        const { lastPassAt = '', writes: written = 0 } = runner.status();
        if (written !== writes || runner.queued > 0) {
          writes = written;
          quietSince = Date.now();
          passes = new Set();
        }
        if (Date.parse(lastPassAt) > quietSince) {
          passes.add(lastPassAt);
        }
        return passes.size >= 2;
      });
    },
    async stop() {
      stop.abort();
      await Promise.all([reading, running]);
      await client.close();
    },
  };
}
