import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import { ScmIntegrations } from '@backstage/integration';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import { scaffolderActionsExtensionPoint } from '@backstage/plugin-scaffolder-node';
import { createArgocdFleetClient } from 'backstage-plugin-argocd-fleet-common';
import { createApplicationSetAction } from './actions/createApplicationSetAction';
import { createLinkComponentAction } from './actions/linkComponentAction';
import { createPlacementAction } from './actions/createPlacementAction';
import { createProposePlacementAction } from './actions/proposePlacementAction';
import { createRenderAction } from './actions/renderAction';
import { createWaitForComponentAction } from './actions/waitForComponentAction';
import { createWaitForRolloutAction } from './actions/waitForRolloutAction';
import { createGiteaPullRequestAction } from './actions/giteaPullRequestAction';
import { createPreparePromotionAction } from './actions/preparePromotionAction';
import { createEnsureGitOpsClusterAction } from './actions/ensureGitOpsClusterAction';
import { createFindRepositoryAction } from './actions/findRepositoryAction';
import { createDeleteApplicationSetAction } from './actions/deleteApplicationSetAction';
import { createDeletePlacementAction } from './actions/deletePlacementAction';
import { createChangePlacementAction } from './actions/changePlacementAction';
import { createFleetAccess } from './fleetAccess';

/**
 * Actions that create pull-model applications on a hub and wait until they run.
 * @public
 */
export const scaffolderModuleArgocdFleet = createBackendModule({
  pluginId: 'scaffolder',
  moduleId: 'argocd-fleet',
  register({ registerInit }) {
    registerInit({
      deps: {
        auth: coreServices.auth,
        config: coreServices.rootConfig,
        catalog: catalogServiceRef,
        discovery: coreServices.discovery,
        reader: coreServices.urlReader,
        scaffolder: scaffolderActionsExtensionPoint,
        userInfo: coreServices.userInfo,
      },
      async init({
        auth,
        catalog,
        config,
        discovery,
        reader,
        scaffolder,
        userInfo,
      }) {
        const integrations = ScmIntegrations.fromConfig(config);
        const fleet = createFleetAccess({
          auth,
          client: createArgocdFleetClient({ discoveryApi: discovery }),
        });
        scaffolder.addActions(
          createPlacementAction({ fleet }),
          createApplicationSetAction({ fleet }),
          createRenderAction({ fleet }),
          createEnsureGitOpsClusterAction({ fleet }),
          createProposePlacementAction({ fleet, integrations, reader }),
          createDeleteApplicationSetAction({ fleet }),
          createDeletePlacementAction({ fleet }),
          createChangePlacementAction({ fleet }),
          createWaitForRolloutAction({ fleet }),
          createWaitForComponentAction({ catalog }),
          createFindRepositoryAction({ integrations }),
          createLinkComponentAction({
            catalog,
            integrations,
            reader,
            userInfo,
          }),
          createPreparePromotionAction({ fleet, integrations, reader }),
          createGiteaPullRequestAction({ integrations }),
        );
      },
    });
  },
});
