import type { Deployment } from 'backstage-plugin-argocd-fleet-common';
import { transformDeployment } from './transformDeployment';

it('keeps of a Deployment what tells whether it runs, however large it is', () => {
  const metadata = {
    namespace: 'tenants',
    name: 'multicluster-integrations',
    uid: 'u',
    resourceVersion: '7',
    generation: 2,
  };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, annotations: { long: 'x'.repeat(200_000) } },
    spec: {
      template: { spec: { containers: [{ env: 'x'.repeat(200_000) }] } },
    },
    status: { availableReplicas: 1, conditions: ['x'.repeat(200_000)] },
  } as Deployment;
  expect(transformDeployment(deployment)).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    status: { availableReplicas: 1 },
  });
  expect(
    transformDeployment({ ...deployment, status: undefined }).status,
  ).toEqual({ availableReplicas: undefined });
});
