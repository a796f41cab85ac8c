import type { JsonObject } from '@backstage/types';
import type { RequestLogEntry } from 'embedded-hub';
import { waitFor } from '../../../__testUtils__/waitFor';
import { composedHub, runForever } from './composedHub';

/** Propagation with the plugin's own setup but without the scheduler's claim; it runs until it is stopped. */
export interface PropagationUnderTest {
  /** Resolves after two consecutive full passes that began after this call and wrote nothing. */
  quiet(): Promise<void>;
  /** Writes that the hub accepted. */
  readonly writes: number;
  /** Whether the cache has the Application `<namespace>/<name>`. */
  hasCached(application: string): boolean;
  /** Stops without waiting for work in progress, as far as possible without killing the process. */
  stop(): Promise<void>;
}

/**
 * The backend's requests of full passes and reconciles. Not counted: watches, which are reopened when they end, and
 * responses 404, which are retried for every resource without a CRD.
 */
export function requestsOfPasses(
  requests: readonly RequestLogEntry[],
): RequestLogEntry[] {
  return requests.filter(
    ({ userAgent, verb, status }) =>
      userAgent === 'argocd-fleet' && verb !== 'watch' && status !== 404,
  );
}

/** Starts a new instance with an empty cache. */
export function startPropagation(
  kubeconfigPath: string,
  options: JsonObject = {},
): PropagationUnderTest {
  const { cache, client, runners } = composedHub(kubeconfigPath, {
    propagation: { fullPassEvery: '20ms', ...options },
  });
  const runner = runners.find(each => each.controller === 'propagation')!;
  const stop = new AbortController();
  const watching = cache.run(stop.signal);
  const running = runForever(runner, stop.signal);
  return {
    get writes() {
      return runner.status().writes ?? 0;
    },
    hasCached: application => cache.applications.get(application) !== undefined,
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
      await Promise.all([watching, running]);
      await client.close();
    },
  };
}
