import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';

const ARGO_FINALIZER =
  /^(resources|post-delete)-finalizer\.argocd\.argoproj\.io(\/.*)?$/;

/**
 * Finalizers that stay on a hub Application when Argo CD's own are removed. The hub's Argo CD is kept off a pull-model
 * Application, so nobody else would ever remove them.
 */
export function argoFinalizersRemoved(application: ArgoApplication): string[] {
  return (application.metadata.finalizers ?? []).filter(
    finalizer => !ARGO_FINALIZER.test(finalizer),
  );
}
