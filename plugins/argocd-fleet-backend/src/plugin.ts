import {
  coreServices,
  createBackendPlugin,
  type BackendFeature,
  type LoggerService,
  type SchedulerService,
} from '@backstage/backend-plugin-api';
import {
  metricsServiceRef,
  tracingServiceRef,
} from '@backstage/backend-plugin-api/alpha';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import {
  argocdFleetResourceSourcesExtensionPoint,
  type ResourceSource,
} from 'backstage-plugin-argocd-fleet-node';
import {
  createChangeFeed,
  createFleetFacts,
  createFleetViews,
  createRouter,
  registerPermissions,
  uncached,
} from './api';
import {
  createFleetLinks,
  createLinkedEntities,
  createLinkHub,
} from './catalog';
import {
  readFleetConfig,
  type ControllerName,
  type FleetConfig,
} from './config';
import { createFleetDatabase } from './database';
import { createClaimsRegistry } from './fleet';
import { createFleetHub, type FleetHub } from './fleetHub';
import { createHistoryCleaningTask } from './historyCleaning';
import { createLinkOnlyReadersCheck } from './linkOnlyReaders';
import { createMissingOwnersCheck } from './missingOwners';
import { createRefusedComponentsCheck } from './refusedComponents';
import type { RemovalTimes } from './model/removal';
import { SEARCH_SOURCE } from './sources/search';
import { createFleetTelemetry, observeFleetCounts } from './telemetry';

/** What a test of the whole plugin may change. */
export interface PluginOptions {
  /** About how many milliseconds an event stream lasts. */
  readonly streamLifetimeMs?: number;
  /** How long decisions about ManifestWorks wait. */
  readonly removalTimes?: Partial<RemovalTimes>;
  /** Milliseconds after which a replica shows what another one, or itself, has decided about deletions. */
  readonly removalStateEveryMs?: number;
}

/** Milliseconds between two reads of what is decided about deletions. */
const REMOVAL_STATE_EVERY_MS = 5_000;

/** Creates the plugin itself; `feature.ts` checks the installation first. */
export function createArgocdFleetPlugin(
  options: PluginOptions = {},
): BackendFeature {
  return createBackendPlugin({
    pluginId: 'argocd-fleet',
    register(env) {
      const sources: ResourceSource[] = [];
      env.registerExtensionPoint(argocdFleetResourceSourcesExtensionPoint, {
        addResourceSource(source) {
          if (
            source.id === SEARCH_SOURCE ||
            sources.some(({ id }) => id === source.id)
          ) {
            throw new Error(
              `Argo CD Fleet already has a resource source with the id "${source.id}". Remove the module that is installed twice, or change the id of one source`,
            );
          }
          sources.push(source);
        },
      });

      env.registerInit({
        deps: {
          auditor: coreServices.auditor,
          auth: coreServices.auth,
          catalog: catalogServiceRef,
          config: coreServices.rootConfig,
          database: coreServices.database,
          httpAuth: coreServices.httpAuth,
          httpRouter: coreServices.httpRouter,
          lifecycle: coreServices.lifecycle,
          logger: coreServices.logger,
          metrics: metricsServiceRef,
          permissions: coreServices.permissions,
          permissionsRegistry: coreServices.permissionsRegistry,
          scheduler: coreServices.scheduler,
          tracing: tracingServiceRef,
          userInfo: coreServices.userInfo,
        },
        async init(deps) {
          const { logger, lifecycle, scheduler } = deps;
          const config = readFleetConfig(deps.config);

          const database = await createFleetDatabase(deps.database);
          const telemetry = createFleetTelemetry(deps);
          const feed = createChangeFeed();
          const claims = createClaimsRegistry();
          const hubs = config.hubs.map(hub =>
            createFleetHub({
              claims,
              hub,
              config,
              logger,
              telemetry: telemetry.forHub(hub.name),
              records: database.records,
              sources: { added: sources, store: database.answers },
              removals: database.removals,
              importAccounts: database.importAccounts,
              removalTimes: options.removalTimes,
              onControllerChange: () => feed.hubChanged(hub.name),
            }),
          );
          const { timelines } = database;
          const onChange = () =>
            hubs.forEach(({ name }) => feed.hubChanged(name));
          const owners = createMissingOwnersCheck({ ...deps, onChange });
          const components = createRefusedComponentsCheck({
            ...deps,
            hubs,
            onChange,
          });
          const links = createFleetLinks({
            hubs: hubs.map(({ name, cache }, index) =>
              createLinkHub({
                name,
                cache,
                instances: config.hubs[index].argocdInstances,
              }),
            ),
            ways: config.links,
          });
          const linkedEntities = createLinkedEntities({
            ...deps,
            links,
            onCatalogChange: onChange,
          });
          const views = createFleetViews({
            hubs,
            linkedEntities,
            mapping: {
              ...config.catalog,
              argocdUrls: Object.fromEntries(
                config.hubs.map(({ name, argocdUrl }) => [name, argocdUrl]),
              ),
            },
            listener: feed,
          });
          const readers = createLinkOnlyReadersCheck({
            hubs,
            linkedEntities,
            onChange,
          });
          const facts = createFleetFacts({
            hubs,
            linkedEntities: config.readByLink ? linkedEntities : undefined,
          });
          registerPermissions(deps.permissionsRegistry, hubs, facts);
          deps.httpRouter.use(uncached);
          deps.httpRouter.use(
            await createRouter({
              ...deps,
              ...options,
              hubs,
              views,
              links,
              linkedEntities,
              timelines,
              feed,
              facts,
              portalFindings: () => [
                ...owners.findings(),
                ...readers.findings(),
              ],
              componentFindings: components,
            }),
          );

          if (hubs.length === 0) {
            logger.warn('No hub is configured: set argocdFleet.hubs');
          }
          telemetry.observeRunners(hubs);
          const hubNames = config.hubs.map(({ name }) => name);
          observeFleetCounts(deps.metrics, database.counts, hubNames);
          const { stopped } = runHubs(hubs, logger, lifecycle);
          lifecycle.addShutdownHook(() => feed.close());
          await scheduleControllers(hubs, config, scheduler, stopped);
          await scheduler.scheduleTask(
            createHistoryCleaningTask({
              ...config,
              hubNames,
              database,
              logger,
            }),
          );
          await scheduleSources(hubs, config, scheduler, stopped);
          await scheduleRemovalStates(
            hubs,
            scheduler,
            options.removalStateEveryMs ?? REMOVAL_STATE_EVERY_MS,
            stopped,
          );
          await scheduler.scheduleTask(owners.task);
          await scheduler.scheduleTask(components.task);
          await scheduler.scheduleTask(linkedEntities.task);
          if (config.readByLink === undefined) {
            await scheduler.scheduleTask(readers.task);
          }
        },
      });
    },
  });
}

/** Runs the caches until the backend shuts down. The signal is aborted once no controller writes any more. */
function runHubs(
  hubs: readonly FleetHub[],
  logger: LoggerService,
  lifecycle: { addShutdownHook(hook: () => Promise<void>): void },
): { readonly stopped: AbortSignal } {
  const stop = new AbortController();
  const running = hubs.map(({ cache, name }) =>
    cache.run(stop.signal).catch(error => {
      logger.error(`The cache of hub "${name}" stopped`, error);
    }),
  );
  lifecycle.addShutdownHook(async () => {
    // The scheduler and its database still work now, so claims are released and another replica takes over at once.
    const runners = hubs.flatMap(hub => hub.runners);
    await Promise.all(runners.map(runner => runner.stop()));
    stop.abort();
    await Promise.all(running);
    await Promise.all(hubs.map(({ client }) => client.close()));
  });
  return { stopped: stop.signal };
}

/** One task for each controller and hub: an unreachable hub delays no other, and each hub has one writer. */
async function scheduleControllers(
  hubs: readonly FleetHub[],
  { controllers }: FleetConfig,
  scheduler: SchedulerService,
  signal: AbortSignal,
) {
  for (const { name, runners } of hubs) {
    for (const { controller, mode, run } of runners) {
      if (mode !== 'off') {
        await scheduler.scheduleTask({
          ...controllers[controller as ControllerName].schedule,
          scope: 'global',
          id: `${controller}-${name}`,
          fn: run,
          signal,
        });
      }
    }
  }
}

/** One replica queries the sources; every replica reads the answers from the database. */
async function scheduleSources(
  hubs: readonly FleetHub[],
  { resourceSources: { schedule } }: FleetConfig,
  scheduler: SchedulerService,
  signal: AbortSignal,
) {
  for (const { name, resourceSources } of hubs) {
    if (resourceSources?.hasSources) {
      await scheduler.scheduleTask({
        ...schedule,
        scope: 'global',
        id: `resource-sources-${name}`,
        fn: taskSignal => resourceSources.collect(taskSignal),
        signal,
      });
      await scheduler.scheduleTask({
        id: `resource-answers-${name}`,
        scope: 'local',
        frequency: { seconds: 5 },
        timeout: { seconds: 60 },
        fn: () => resourceSources.refresh(),
        signal,
      });
    }
  }
}

/** One replica decides about deletions; every replica shows what is decided. */
async function scheduleRemovalStates(
  hubs: readonly FleetHub[],
  scheduler: SchedulerService,
  everyMs: number,
  signal: AbortSignal,
) {
  for (const { name, removalState } of hubs) {
    await scheduler.scheduleTask({
      id: `removals-${name}`,
      scope: 'local',
      frequency: { milliseconds: everyMs },
      timeout: { seconds: 60 },
      fn: () => removalState.refresh(),
      signal,
    });
  }
}
