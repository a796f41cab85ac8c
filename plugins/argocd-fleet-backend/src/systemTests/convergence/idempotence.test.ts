import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { startEmbeddedHub } from 'embedded-hub';
import {
  managedCluster,
  namespace,
  NAMESPACE,
  placementDecision,
  pullApplication,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import { startPropagation } from './__testUtils__/controllersUnderTest';

jest.setTimeout(300_000);

const APPLICATIONS = 10_000;
const CLUSTERS = 100;
const PASSES = { fullPassEvery: '500ms' };

const clusters = Array.from({ length: CLUSTERS }, (_, index) => `c${index}`);

/** A hub on which Argo CD and OCM have done their part: each cluster is decided on and has its Applications. */
function fleet(): KubernetesObject[] {
  return [
    ...[NAMESPACE, ...clusters].map(namespace),
    ...clusters.map(name => managedCluster(name)),
    {
      ...placementDecision('all'),
      ...{
        status: {
          decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
        },
      },
    },
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
    const ours = () =>
      hub.requests.filter(
        ({ userAgent, verb, status }) =>
          // Watches are taken up again when they end; what the hub has no definition of is asked for again and again.
          userAgent === 'argocd-fleet' && verb !== 'watch' && status !== 404,
      );
    let propagation = startPropagation(kubeconfigPath, PASSES);
    try {
      await waitFor(() => propagation.writes === APPLICATIONS, 200_000);
      await propagation.quiet();

      hub.clearRequests();
      await propagation.quiet();
      expect(ours()).toEqual([]);
      expect(propagation.writes).toBe(APPLICATIONS);

      await propagation.stop();
      propagation = startPropagation(kubeconfigPath, PASSES);
      await propagation.quiet();
      expect(propagation.writes).toBe(0);
      expect(ours().filter(({ method }) => method !== 'GET')).toEqual([]);
    } finally {
      await propagation.stop();
      await hub.stop();
      await rm(folder, { recursive: true });
    }
  });
});
