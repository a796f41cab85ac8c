import type { Deployment } from 'backstage-plugin-argocd-fleet-common';

/** Keeps what tells whether it runs: anyone may have one of the name that is watched, and of any size. */
export function transformDeployment({
  apiVersion,
  kind,
  metadata: { namespace, name, uid, resourceVersion, generation },
  status,
}: Deployment): Deployment {
  return {
    apiVersion,
    kind,
    metadata: { namespace, name, uid, resourceVersion, generation },
    status: { availableReplicas: status?.availableReplicas },
  };
}
