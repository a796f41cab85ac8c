import {
  coreServices,
  createBackendPlugin,
  type BackendFeature,
} from '@backstage/backend-plugin-api';
import type {
  ApplicationSetList,
  ClusterList,
} from 'backstage-plugin-argocd-fleet-common';

/** A stand-in for the argocd-fleet backend: a plugin that answers services over HTTP. */
export interface FakeFleetApi {
  readonly feature: BackendFeature;
  /** The lists that it returns; `undefined` while it is not ready. */
  answer?: Omit<ClusterList & ApplicationSetList, 'items'> & {
    clusters: ClusterList['items'];
    applicationSets: ApplicationSetList['items'];
  };
}

export function createFakeFleetApi(): FakeFleetApi {
  const api: FakeFleetApi = {
    feature: createBackendPlugin({
      pluginId: 'argocd-fleet',
      register({ registerInit }) {
        registerInit({
          deps: {
            httpAuth: coreServices.httpAuth,
            httpRouter: coreServices.httpRouter,
          },
          async init({ httpAuth, httpRouter }) {
            httpRouter.use(async (request, response, next) => {
              try {
                await httpAuth.credentials(request, { allow: ['service'] });
              } catch (error) {
                next(error);
                return;
              }
              if (!api.answer) {
                response.status(503).json({
                  response: { statusCode: 503 },
                  error: {
                    name: 'ServiceUnavailableError',
                    message: 'starting',
                  },
                });
                return;
              }
              const { hubs, clusters, applicationSets } = api.answer;
              const items = {
                '/clusters': clusters,
                '/applicationsets': applicationSets,
              }[request.path];
              response.json({ items, hubs });
            });
          },
        });
      },
    }),
  };
  return api;
}
