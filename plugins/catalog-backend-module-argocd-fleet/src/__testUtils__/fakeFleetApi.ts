import {
  coreServices,
  createBackendPlugin,
  type BackendFeature,
} from '@backstage/backend-plugin-api';
import { createInventoryAnswers, type Fleet } from './fleet';

/** A stand-in for the argocd-fleet backend: a plugin that answers services over HTTP. */
export interface FakeFleetApi {
  readonly feature: BackendFeature;
  /** The fleet that it knows; `undefined` while it is not ready. */
  answer?: Fleet;
}

export function createFakeFleetApi(): FakeFleetApi {
  const inventoryOf = createInventoryAnswers();
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
              const { since } = request.query;
              response.json(inventoryOf(api.answer, since as string));
            });
          },
        });
      },
    }),
  };
  return api;
}
