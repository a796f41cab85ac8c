import { createExtensionPoint } from '@backstage/backend-plugin-api';
import type { ResourceSource } from './resourceSource';

/** Where modules add sources of resource lists and error messages. @public */
export interface ArgocdFleetResourceSourcesExtensionPoint {
  /** @throws Error where a source of the same id is there already */
  addResourceSource(source: ResourceSource): void;
}

/** @public */
export const argocdFleetResourceSourcesExtensionPoint =
  createExtensionPoint<ArgocdFleetResourceSourcesExtensionPoint>({
    id: 'argocd-fleet.resource-sources',
  });
