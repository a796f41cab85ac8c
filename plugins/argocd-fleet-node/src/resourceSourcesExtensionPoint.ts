import { createExtensionPoint } from '@backstage/backend-plugin-api';
import type { ResourceSource } from './resourceSource';

/** Lets modules add sources of resource lists and errors. @public */
export interface ArgocdFleetResourceSourcesExtensionPoint {
  /**
   * Adds a source of resource lists and errors.
   * @throws Error when a source with the same id exists already
   */
  addResourceSource(source: ResourceSource): void;
}

/** The extension point of the plugin for sources of resource lists and errors. @public */
export const argocdFleetResourceSourcesExtensionPoint =
  createExtensionPoint<ArgocdFleetResourceSourcesExtensionPoint>({
    id: 'argocd-fleet.resource-sources',
  });
