import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import {
  catalogProcessingExtensionPoint,
  catalogServiceRef,
} from '@backstage/plugin-catalog-node';
import { createArgocdFleetClient } from 'backstage-plugin-argocd-fleet-common';
import { createEntityLookup } from './entityLookup';
import { createFleetEntityProvider } from './fleetEntityProvider';
import { readFleetProviderConfig } from './providerConfig';
import { createRepositoryHostsProcessor } from './repositoryHosts';

/**
 * Managed clusters and ApplicationSets as catalog entities, and components linked to them; the hosts that our templates offer.
 * @public
 */
export const catalogModuleArgocdFleet = createBackendModule({
  pluginId: 'catalog',
  moduleId: 'argocd-fleet',
  register({ registerInit }) {
    registerInit({
      deps: {
        auth: coreServices.auth,
        catalog: catalogProcessingExtensionPoint,
        catalogApi: catalogServiceRef,
        config: coreServices.rootConfig,
        discovery: coreServices.discovery,
        logger: coreServices.logger,
        scheduler: coreServices.scheduler,
      },
      async init({
        auth,
        catalog,
        catalogApi,
        config,
        discovery,
        logger,
        scheduler,
      }) {
        catalog.addProcessor(createRepositoryHostsProcessor(config));
        const { defaultOwner, schedule } = readFleetProviderConfig(config);
        catalog.addEntityProvider(
          createFleetEntityProvider({
            client: createArgocdFleetClient({ discoveryApi: discovery }),
            findEntities: createEntityLookup({ auth, catalog: catalogApi }),
            getToken: async () => {
              const { token } = await auth.getPluginRequestToken({
                onBehalfOf: await auth.getOwnServiceCredentials(),
                targetPluginId: 'argocd-fleet',
              });
              return token;
            },
            taskRunner: scheduler.createScheduledTaskRunner(schedule),
            logger,
            defaultOwner,
            appUrl: config.getOptionalString('app.baseUrl'),
          }),
        );
      },
    });
  },
});
