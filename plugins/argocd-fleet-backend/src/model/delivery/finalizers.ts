import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';

const ARGO_FINALIZER =
  /^(resources|post-delete)-finalizer\.argocd\.argoproj\.io(\/.*)?$/;

/**
 * The finalizers of a hub Application without those of Argo CD. The hub's Argo CD skips pull-model Applications
 * (`skip-reconcile`), so it would never remove its finalizers.
 */
export function withoutArgoFinalizers(application: ArgoApplication): string[] {
  return (application.metadata.finalizers ?? []).filter(
    finalizer => !ARGO_FINALIZER.test(finalizer),
  );
}
