import { createBackend } from '@backstage/backend-defaults';
import { rootHttpRouterServiceFactory } from '@backstage/backend-defaults/rootHttpRouter';
import { forLocalHosts } from './localHosts';

const backend = createBackend();

backend.add(
  rootHttpRouterServiceFactory({
    configure({ app, config, applyDefaults }) {
      app.use(
        forLocalHosts({
          baseUrl: config.getString('backend.baseUrl'),
          listenHost: config.getOptionalString('backend.listen.host'),
        }),
      );
      applyDefaults();
    },
  }),
);

backend.add(import('@backstage/plugin-app-backend'));
backend.add(import('@backstage/plugin-auth-backend'));
backend.add(import('@backstage/plugin-auth-backend-module-guest-provider'));
backend.add(import('@backstage/plugin-catalog-backend'));
backend.add(
  import('@backstage/plugin-catalog-backend-module-scaffolder-entity-model'),
);
backend.add(import('@backstage/plugin-permission-backend'));
backend.add(import('./permissionPolicy'));
backend.add(import('@backstage/plugin-scaffolder-backend'));
backend.add(import('@backstage/plugin-scaffolder-backend-module-gitea'));

backend.add(import('backstage-plugin-argocd-fleet-backend'));
backend.add(import('backstage-plugin-catalog-backend-module-argocd-fleet'));
backend.add(import('backstage-plugin-scaffolder-backend-module-argocd-fleet'));

// Backstage keeps a process whose start failed: it answers 503 until somebody looks at its log.
backend.start().catch(error => {
  console.error(error.message);
  process.exit(1);
});
