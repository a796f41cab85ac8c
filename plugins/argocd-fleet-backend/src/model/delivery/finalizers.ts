import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';

const ARGO_FINALIZER =
  /^(resources|(pre|post)-delete)-finalizer\.argocd\.argoproj\.io(\/.*)?$/;

/** Those that Argo CD of a managed cluster removes. */
const PAYLOAD_FINALIZER =
  /^(resources-finalizer\.argocd\.argoproj\.io(\/(background|foreground))?|(pre|post)-delete-finalizer\.argocd\.argoproj\.io(\/cleanup)?)$/;

/**
 * The finalizers of the Application on the managed cluster. One that nobody removes there would keep the Application, its
 * work and, when the cluster is detached, the cluster.
 */
export function payloadFinalizers(application: ArgoApplication): string[] {
  return (application.metadata.finalizers ?? []).filter(finalizer =>
    PAYLOAD_FINALIZER.test(finalizer),
  );
}

/**
 * The finalizers of a hub Application without those of Argo CD. The hub's Argo CD skips pull-model Applications
 * (`skip-reconcile`), so it would never remove its finalizers.
 */
export function withoutArgoFinalizers(application: ArgoApplication): string[] {
  return (application.metadata.finalizers ?? []).filter(
    finalizer => !ARGO_FINALIZER.test(finalizer),
  );
}
