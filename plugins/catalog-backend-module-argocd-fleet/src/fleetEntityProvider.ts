import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type {
  LoggerService,
  SchedulerServiceTaskRunner,
} from '@backstage/backend-plugin-api';
import { stringifyEntityRef, type Entity } from '@backstage/catalog-model';
import { ForwardedError } from '@backstage/errors';
import type {
  DeferredEntity,
  EntityProvider,
  EntityProviderConnection,
  EntityProviderMutation,
} from '@backstage/plugin-catalog-node';
import type { ArgocdFleetClient } from 'backstage-plugin-argocd-fleet-common';
import { fleetEntities } from './fleetEntities';
import { updateFleetInventory, type FleetInventory } from './fleetInventory';

const NAME = 'argocd-fleet';
/** Between two full mutations. They correct what another replica wrote to the catalog in between. */
const FULL_INTERVAL_MS = 60_000;
/** Interval and maximum number of retries while the backend lists its hubs for the first time. */
const STARTUP_RETRY_MS = 1_000;
const STARTUP_RETRIES = 20;

/**
 * Keeps managed clusters, ApplicationSets and the components that these name in the catalog.
 *
 * A run applies a delta mutation with the changes, or none if nothing changed. Once a minute it applies a full
 * mutation, of which the catalog writes only the differences. No entity is removed because a hub or the API cannot be
 * reached.
 */
export function createFleetEntityProvider(options: {
  readonly client: Pick<
    ArgocdFleetClient,
    'listApplicationSets' | 'listClusters'
  >;
  /** Returns a token for the API; called in each run. */
  readonly getToken: () => Promise<string>;
  readonly taskRunner: SchedulerServiceTaskRunner;
  readonly logger: LoggerService;
  /** Entity reference of the owner of clusters, and of ApplicationSets that name no owner. */
  readonly defaultOwner: string;
}): EntityProvider {
  const { client, getToken, taskRunner, logger, defaultOwner } = options;
  /** Hash of each entity in the last mutation of this process, by entity reference. */
  let published = new Map<string, string>();
  let lastFullAt = -Infinity;
  let inventory: FleetInventory | undefined;
  let reportedProblems = new Set<string>();
  let startupRetries = STARTUP_RETRIES;

  async function run(
    connection: EntityProviderConnection,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      let failure: unknown;
      try {
        await refresh(connection, signal);
      } catch (error) {
        failure = error;
      }
      const isStarted = inventory !== undefined && !inventory.starting;
      if (isStarted || startupRetries === 0 || signal.aborted) {
        startupRetries = 0;
        if (failure) {
          // The scheduler logs and records the error.
          throw failure;
        }
        return;
      }
      if (failure && startupRetries === STARTUP_RETRIES) {
        logger.info(`Waiting for the argocd-fleet API: ${failure}`);
      }
      startupRetries--;
      await setTimeout(STARTUP_RETRY_MS, undefined, { signal });
    }
  }

  async function refresh(
    connection: EntityProviderConnection,
    signal: AbortSignal,
  ): Promise<void> {
    inventory = await readInventory(signal);
    const { entities, problems } = fleetEntities(inventory, defaultOwner);
    reportProblems(problems);

    const current = new Map(
      entities.map(entity => [stringifyEntityRef(entity), entity]),
    );
    const hashes = new Map(
      [...current].map(([ref, entity]) => [ref, hashOf(entity)]),
    );
    const full =
      inventory.complete && Date.now() - lastFullAt >= FULL_INTERVAL_MS;
    const mutation: EntityProviderMutation = full
      ? { type: 'full', entities: [...current.values()].map(deferred) }
      : {
          type: 'delta',
          added: [...current]
            .filter(([ref]) => published.get(ref) !== hashes.get(ref))
            .map(([, entity]) => deferred(entity)),
          removed: [...published.keys()]
            .filter(ref => !current.has(ref))
            .map(entityRef => ({ entityRef, locationKey: NAME })),
        };
    if (
      mutation.type === 'full' ||
      mutation.added.length > 0 ||
      mutation.removed.length > 0
    ) {
      await connection.applyMutation(mutation);
    }
    published = hashes;
    if (full) {
      lastFullAt = Date.now();
    }
  }

  async function readInventory(signal: AbortSignal): Promise<FleetInventory> {
    try {
      const request = { token: await getToken(), signal };
      const [clusters, applicationSets] = await Promise.all([
        client.listClusters(request),
        client.listApplicationSets(request),
      ]);
      return updateFleetInventory(inventory, clusters, applicationSets);
    } catch (error) {
      throw new ForwardedError(
        'The argocd-fleet API does not answer, so managed clusters and ApplicationSets stay in the catalog as they are. Is the argocd-fleet backend plugin installed and running?',
        error,
      );
    }
  }

  /** Logs each problem when it appears, not in every run. */
  function reportProblems(problems: readonly string[]): void {
    for (const problem of problems) {
      if (!reportedProblems.has(problem)) {
        logger.warn(problem);
      }
    }
    reportedProblems = new Set(problems);
  }

  return {
    getProviderName: () => NAME,
    connect: connection =>
      taskRunner.run({
        id: `${NAME}:catalog`,
        fn: signal => run(connection, signal),
      }),
  };
}

function deferred(entity: Entity): DeferredEntity {
  return { entity, locationKey: NAME };
}

function hashOf(entity: Entity): string {
  return createHash('sha256').update(JSON.stringify(entity)).digest('base64');
}
