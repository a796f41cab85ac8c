import type { LoggerService } from '@backstage/backend-plugin-api';
import { MANAGED_BY } from 'backstage-plugin-argocd-fleet-common';
import {
  createAggregation,
  createControllerRunner,
  createFleetReader,
  createPropagation,
  createWorkFields,
  FLEET_INDEXES,
  type ControllerRunner,
  type FleetCache,
  type FleetReader,
} from './controllers';
import type { FleetConfig, HubConfig } from './config';
import {
  createHttpHubClient,
  createHubCache,
  createHubConnector,
  type HubClient,
} from './hub';

/** All that belongs to one hub; nothing of it is shared with another hub, so that none can hurt another. */
export interface FleetHub {
  readonly name: string;
  readonly client: HubClient;
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly runners: readonly ControllerRunner[];
}

/** Puts a hub together; it is not spoken to until its cache runs. */
export function createFleetHub(options: {
  readonly hub: HubConfig;
  readonly config: FleetConfig;
  readonly logger: LoggerService;
  /** Called when what a controller tells about itself has changed. */
  readonly onControllerChange: () => void;
}): FleetHub {
  const { config, onControllerChange } = options;
  const { name, access } = options.hub;
  const logger = options.logger.child({ hub: name });
  const client = createHttpHubClient({
    hub: name,
    connector: createHubConnector({ hub: name, access }),
    fieldManager: MANAGED_BY,
  });
  const cache = createHubCache({
    hub: name,
    client,
    indexes: FLEET_INDEXES,
    logger,
  });
  const fields = createWorkFields({
    hub: name,
    client,
    propagation: config.propagation,
  });
  const reader = createFleetReader({ cache, propagation: fields.options });
  const controllers = {
    propagation: createPropagation({ cache, reader, client, fields }),
    aggregation: createAggregation({ cache, reader }),
  };
  return {
    name,
    client,
    cache,
    reader,
    runners: [controllers.propagation, controllers.aggregation].map(
      controller => {
        const { mode, timing } =
          config.controllers[controller.name as keyof typeof controllers];
        return createControllerRunner({
          controller,
          cache,
          client,
          mode,
          timing,
          logger: logger.child({ controller: controller.name }),
          onStatusChange: onControllerChange,
        });
      },
    ),
  };
}
