import type { Entity } from '@backstage/catalog-model';

/** The documentation's component, linked by annotation. */
export const GUESTBOOK: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: {
    namespace: 'default',
    name: 'guestbook',
    annotations: {
      'argocd-fleet/applicationset':
        'openshift-gitops/guestbook-allclusters-app-set',
    },
  },
  spec: { type: 'service', lifecycle: 'production', owner: 'team-web' },
};

/** A component that nobody linked. */
export const UNLINKED: Entity = {
  ...GUESTBOOK,
  metadata: { namespace: 'default', name: 'billing' },
};
