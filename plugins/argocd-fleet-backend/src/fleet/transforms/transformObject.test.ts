import type { ManagedCluster } from 'backstage-plugin-argocd-fleet-common';
import { transformReported } from './transformObject';

it('keeps the texts of a status as they are shown, and everything else', () => {
  const cluster = {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name: 'cluster1', labels: { region: 'eu' } },
    spec: { hubAcceptsClient: true },
    status: {
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status: 'Unknown',
          message: `\u202E${'x'.repeat(200_000)}`,
        },
      ],
    },
  } as ManagedCluster;
  const { status, ...rest } = transformReported(cluster);
  const { message } = status!.conditions![0];
  expect(message).toMatch(/^\uFFFDx+… \[cut\]$/);
  expect(Buffer.byteLength(message!)).toBeLessThanOrEqual(4_096);
  const { status: _, ...given } = cluster;
  expect(rest).toEqual(given);
});
