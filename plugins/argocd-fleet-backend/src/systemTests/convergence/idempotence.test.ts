import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { startEmbeddedHub } from 'embedded-hub';
import {
  decisionFor,
  namespacesAndClusters,
  pullApplication,
} from '../../__testUtils__/objects';
import { numberOfCases } from '../../__testUtils__/randomCases';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  requestsOfPasses,
  startPropagation,
} from './__testUtils__/propagationUnderTest';

// The delivery of the Applications of the long run takes minutes.
jest.setTimeout(300_000);

const APPLICATIONS = numberOfCases({ test: 500, long: 10_000 });
const CLUSTERS = 100;
const PASSES = { fullPassEvery: '100ms' };

const clusters = Array.from({ length: CLUSTERS }, (_, index) => `c${index}`);

/** The objects of Argo CD and OCM: every cluster is selected and has its Applications. */
function fleet(): KubernetesObject[] {
  return [
    ...namespacesAndClusters(clusters),
    decisionFor(clusters),
    ...Array.from({ length: APPLICATIONS }, (_, index) =>
      pullApplication(`app-${index}`, clusters[index % CLUSTERS]),
    ),
  ];
}

describe(`${APPLICATIONS} Applications`, () => {
  it('need no write and no list in a second pass, and no write after a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-many-'));
    const kubeconfigPath = join(folder, 'kubeconfig');
    const hub = await startEmbeddedHub({ kubeconfigPath, snapshot: fleet() });
    const backendRequests = () => requestsOfPasses(hub.requests);
    let propagation = startPropagation(kubeconfigPath, PASSES);
    try {
      await waitFor(() => propagation.writes === APPLICATIONS, 200_000);
      await propagation.quiet();

      hub.clearRequests();
      await propagation.quiet();
      expect(backendRequests()).toEqual([]);
      expect(propagation.writes).toBe(APPLICATIONS);

      await propagation.stop();
      propagation = startPropagation(kubeconfigPath, PASSES);
      await propagation.quiet();
      expect(propagation.writes).toBe(0);
      expect(
        backendRequests().filter(({ method }) => method !== 'GET'),
      ).toEqual([]);
    } finally {
      await propagation.stop();
      await hub.stop();
      await rm(folder, { recursive: true });
    }
  });
});
