import type { LoggerService } from '@backstage/backend-plugin-api';
import { MANAGED_BY } from 'backstage-plugin-argocd-fleet-common';
import type { ResourceSource } from 'backstage-plugin-argocd-fleet-node';
import type { ControllerName, FleetConfig, HubConfig } from './config';
import { createAggregation } from './controllers/aggregation';
import { createApplicationStatus } from './controllers/applicationStatus';
import {
  createClusterImport,
  followArgoNamespaces,
} from './controllers/clusterImport';
import { createPropagation, createWorkFields } from './controllers/propagation';
import { createResourceSync } from './controllers/resourceSync';
import type { AnswerStore, FleetRecords } from './database';
import {
  createFleetReader,
  createHubCache,
  createCompetingController,
  FLEET_INDEXES,
  type FleetCache,
  type FleetReader,
} from './fleet';
import {
  createHttpClient,
  createConnector,
  createRateLimiter,
  createVersionedClient,
  type KubernetesClient,
} from './kubernetes/client';
import { createControllerRunner, type ControllerRunner } from './runtime';
import { createResourceSources, type ResourceSources } from './sources';
import { createSearchSource } from './sources/search';
import type { HubTelemetry } from './telemetry';

/** All that belongs to one hub; nothing of it is shared with another hub, so that none can hurt another. */
export interface FleetHub {
  readonly name: string;
  readonly client: KubernetesClient;
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly runners: readonly ControllerRunner[];
  readonly resourceSources?: ResourceSources;
}

const EVERYWHERE: ReadonlySet<string> = new Set(['']);

/** Puts a hub together; it is not spoken to until its cache runs. */
export function createFleetHub(options: {
  readonly hub: HubConfig;
  readonly config: FleetConfig;
  readonly logger: LoggerService;
  readonly telemetry?: HubTelemetry;
  /** Where the state of the fleet is recorded; nothing is recorded without. */
  readonly recording?: { readonly records: FleetRecords };
  /** Sources that modules added, and where what all sources say is kept; none is asked without. */
  readonly asking?: {
    readonly sources: readonly ResourceSource[];
    readonly store: AnswerStore;
  };
  /** Called when what a controller tells about itself has changed. */
  readonly onControllerChange: () => void;
}): FleetHub {
  const { config, telemetry, recording, asking, onControllerChange } = options;
  const { name, access, rateLimit, modes, search } = options.hub;
  const logger = options.logger.child({ hub: name });
  if ('url' in access && access.skipTLSVerify) {
    logger.warn(
      `The certificate of hub "${name}" (${access.url}) is not verified (skipTLSVerify): whoever is on the way can read our token and answer in its place. Set caData or caFile instead`,
    );
  }
  const client = createVersionedClient(
    createHttpClient({
      hub: name,
      connector: createConnector({ hub: name, access }),
      fieldManager: MANAGED_BY,
      gate: createRateLimiter(rateLimit),
      onAnswer: telemetry?.onAnswer,
    }),
  );
  const cache = createHubCache({
    hub: name,
    client,
    indexes: FLEET_INDEXES,
    logger,
    onReading: telemetry?.onReading,
  });
  const fields = createWorkFields({
    hub: name,
    client,
    propagation: config.propagation,
  });
  cache.watchNamespaces('rhacmDeployments', EVERYWHERE);
  cache.watchNamespaces('rhacmConfigMaps', EVERYWHERE);
  if (config.propagation.includeAppProject) {
    cache.watchNamespaces('appProjects', EVERYWHERE);
  }
  const resourceSources =
    asking &&
    createResourceSources({
      cache,
      sources: [
        ...(search ? [createSearchSource(name, search)] : []),
        ...asking.sources,
      ],
      store: asking.store,
      logger,
      onRound: telemetry?.onRound,
    });
  const reader = createFleetReader({
    cache,
    propagation: fields.options,
    sourced: resourceSources?.detailsOf,
  });
  if (
    (modes.clusterImport ?? config.controllers.clusterImport.mode) !== 'off'
  ) {
    followArgoNamespaces(cache);
  }
  const rival = createCompetingController({ cache });
  const controllers = {
    clusterImport: createClusterImport({ cache, client }),
    propagation: createPropagation({
      cache,
      reader,
      client,
      fields,
      rival,
    }),
    applicationStatus: createApplicationStatus({ cache }),
    aggregation: createAggregation({
      cache,
      reader,
      client,
      rival,
      further: resourceSources,
    }),
    ...(recording && {
      resourceSync: createResourceSync({
        cache,
        reader,
        ...recording,
        further: resourceSources,
        onLag: telemetry?.onLag,
      }),
    }),
  };
  return {
    name,
    client,
    cache,
    reader,
    resourceSources,
    runners: Object.values(controllers).map(controller => {
      const controllerName = controller.name as ControllerName;
      const { mode, timing, concurrency } = config.controllers[controllerName];
      return createControllerRunner({
        controller,
        cache,
        client,
        mode: modes[controllerName] ?? mode,
        timing,
        concurrency,
        telemetry: telemetry?.controller(controller.name),
        logger: logger.child({ controller: controller.name }),
        onStatusChange: onControllerChange,
      });
    }),
  };
}
