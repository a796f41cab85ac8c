import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startEmbeddedHub } from 'embedded-hub';
import fc from 'fast-check';
import { numberOfCases, SEED } from '../../__testUtils__/randomCases';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  requestsOfPasses,
  startPropagation,
} from './__testUtils__/propagationUnderTest';
import { expectConverged } from './__testUtils__/expectConverged';
import { createFleetOnHub } from './__testUtils__/fleetOnHub';
import { histories, type Moment } from './__testUtils__/history';
import { wrongDeletions } from './__testUtils__/wrongDeletions';

// The histories of the long run, and those that a failed one shrinks to, take minutes.
jest.setTimeout(600_000);

const HISTORIES = numberOfCases({ test: 15, long: 100 });
/** Milliseconds for works to become right while a failed history shrinks; a wrong guess only makes it shrink less. */
const SHRINKING_MS = 5_000;

describe(`propagation after a random history (seed ${SEED})`, () => {
  let folder: string;
  let hasFailed = false;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-histories-'));
    const hub = await startEmbeddedHub();
    await createFleetOnHub(hub).prepare();
    await hub.saveSnapshot(join(folder, 'snapshot'));
    await hub.stop();
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function replay(history: readonly Moment[]) {
    const kubeconfigPath = join(folder, 'kubeconfig');
    const hub = await startEmbeddedHub({
      kubeconfigPath,
      snapshot: join(folder, 'snapshot'),
    });
    const fleet = createFleetOnHub(hub);
    let propagation = startPropagation(kubeconfigPath);
    try {
      for (const { turns, ...event } of history) {
        if (event.type === 'restart') {
          await propagation.stop();
          propagation = startPropagation(kubeconfigPath);
        } else if (event.type === 'waitUntilQuiet') {
          await propagation.quiet();
        } else {
          await fleet.apply(event);
        }
        for (let passed = 0; passed < turns; passed += 1) {
          await nextTurn();
        }
      }
      await waitFor(
        async () => {
          await fleet.letAgentsWork();
          expectConverged(await fleet.contents(), fleet.timeline);
          return true;
        },
        hasFailed ? SHRINKING_MS : undefined,
      );
      // A work may be deleted only after its agent has reported about its successor.
      await propagation.quiet();
      await fleet.letAgentsWork();
      await propagation.quiet();
      const seen = hub.requests.length;
      const { writes } = propagation;
      await propagation.quiet();
      expect(propagation.writes).toBe(writes);
      expect(requestsOfPasses(hub.requests.slice(seen))).toEqual([]);
      expectConverged(await fleet.contents(), fleet.timeline);
      expect(wrongDeletions(hub.requests, fleet.timeline)).toEqual([]);
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      await propagation.stop();
      await hub.stop();
    }
  }

  it(`reaches the works that only the final state determines, in ${HISTORIES} histories`, async () => {
    const result = await fc.check(fc.asyncProperty(histories, replay), {
      seed: SEED,
      numRuns: HISTORIES,
      includeErrorInReport: true,
    });
    // The report contains the seed, the shrunk history and the failed expectation.
    expect(await fc.asyncDefaultReportMessage(result)).toBeUndefined();
  });
});
