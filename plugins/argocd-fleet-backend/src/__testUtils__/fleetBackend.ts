import {
  mockServices,
  startTestBackend,
  type TestBackend,
} from '@backstage/backend-test-utils';
import { schedulerServiceFactory } from '@backstage/backend-defaults/scheduler';
import type { BackendFeature } from '@backstage/backend-plugin-api';
import type { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import type { JsonObject } from '@backstage/types';
import { argocdFleetPlugin } from '../plugin';

/** Starts a backend with nothing but this plugin, on Backstage's real scheduler. */
export function startFleetBackend(options: {
  readonly argocdFleet?: JsonObject;
  readonly entities?: Entity[];
  readonly features?: BackendFeature[];
}): Promise<TestBackend> {
  const { argocdFleet, entities = [], features = [] } = options;
  return startTestBackend({
    features: [
      argocdFleetPlugin,
      schedulerServiceFactory,
      catalogServiceMock.factory({ entities }),
      mockServices.rootConfig.factory({
        data: argocdFleet ? { argocdFleet } : {},
      }),
      ...features,
    ],
  });
}

/** Configuration of one hub of a kubeconfig, called `hub`. */
export function oneHub(kubeconfigPath: string, more: JsonObject = {}) {
  return {
    hubs: [{ name: 'hub', kubeconfig: { path: kubeconfigPath } }],
    ...more,
  };
}
