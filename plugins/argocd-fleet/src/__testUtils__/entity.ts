import type { Entity } from '@backstage/catalog-model';

/** A component that is linked by annotation, as in the documentation. */
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

/** A component without a link. */
export const UNLINKED: Entity = {
  ...GUESTBOOK,
  metadata: { namespace: 'default', name: 'billing' },
};
