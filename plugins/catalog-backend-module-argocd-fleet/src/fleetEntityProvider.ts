import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
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
} from '@backstage/plugin-catalog-node';
import type {
  ArgocdFleetClient,
  Inventory,
} from 'backstage-plugin-argocd-fleet-common';
import {
  changedResources,
  fleetComponentRefs,
  fleetComponents,
  fleetResources,
} from './fleetEntities';
import {
  needsFullAnswer,
  updateFleetInventory,
  type ChangedObjects,
  type FleetInventory,
} from './fleetInventory';
import { applicationSetResourceRef } from 'backstage-plugin-argocd-fleet-node';

const NAME = 'argocd-fleet';
/**
 * Between two comparisons of everything, which correct what was written to the catalog or missed since the last one.
 */
const FULL_INTERVAL_MS = 60 * 60_000;
/** Interval and maximum number of retries while the backend lists its hubs for the first time. */
const STARTUP_RETRY_MS = 1_000;
const STARTUP_RETRIES = 20;

/**
 * Keeps managed clusters, ApplicationSets and the components that these name in the catalog.
 *
 * A run asks for the changes since the last one and applies a delta mutation with them, or none. Once an hour, and after
 * the API could not say what changed but something has, it applies a full mutation, of which the catalog writes only the
 * differences. No entity is removed because a hub or the API cannot be reached. While the catalog does not say which
 * components it has, only clusters and ApplicationSets are published, and the run fails.
 */
export function createFleetEntityProvider(options: {
  readonly client: Pick<ArgocdFleetClient, 'getInventory'>;
  /** Returns the entities that the catalog has, by reference. */
  readonly findEntities: (
    refs: readonly string[],
  ) => Promise<ReadonlyMap<string, Entity>>;
  /** Returns a token for the API; called in each run. */
  readonly getToken: () => Promise<string>;
  readonly taskRunner: SchedulerServiceTaskRunner;
  readonly logger: LoggerService;
  /** Entity reference of the owner of clusters, and of ApplicationSets that name no owner. */
  readonly defaultOwner: string;
  /** URL of the portal, for links. */
  readonly appUrl?: string;
}): EntityProvider {
  const { client, findEntities, getToken, taskRunner, logger } = options;
  /** As in the last mutation of this process. */
  let inventory: FleetInventory | undefined;
  /** The components of this inventory, by entity reference. */
  let components = new Map<string, Entity>();
  let lastComparedAt = -Infinity;
  /** Also while a hub cannot be read: the mutation follows once it can. */
  let isFullMutationDue = true;
  /** References of ApplicationSets that changed since the components could not be published; undefined if they were. */
  let setsOfDueComponents: ReadonlySet<string> | undefined;
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
      const isStarted =
        inventory !== undefined &&
        !inventory.starting &&
        setsOfDueComponents === undefined;
      if (isStarted || startupRetries === 0 || signal.aborted) {
        startupRetries = 0;
        if (failure) {
          // The scheduler logs and records the error.
          throw failure;
        }
        return;
      }
      if (failure && startupRetries === STARTUP_RETRIES) {
        logger.info(`Waiting for what the first run needs: ${failure}`);
      }
      startupRetries--;
      await setTimeout(STARTUP_RETRY_MS, undefined, { signal });
    }
  }

  async function refresh(
    connection: EntityProviderConnection,
    signal: AbortSignal,
  ): Promise<void> {
    const isDue = Date.now() - lastComparedAt >= FULL_INTERVAL_MS;
    let answer = await readInventory(
      isDue ? undefined : inventory?.next,
      signal,
    );
    if (inventory && needsFullAnswer(inventory, answer)) {
      answer = await readInventory(undefined, signal);
    }
    const update = updateFleetInventory(inventory, answer);
    const { changed } = update;
    const isChanged =
      changed.clusters.length > 0 || changed.applicationSets.length > 0;
    isFullMutationDue ||= isDue;
    const isFull =
      answer.full &&
      update.inventory.complete &&
      (isChanged || isFullMutationDue);
    let failure: unknown;
    if (isChanged || isFull || setsOfDueComponents) {
      failure = await publish(connection, update.inventory, changed, isFull);
    }
    // Only now: the changes of a mutation that failed are asked for again.
    inventory = update.inventory;
    if (failure) {
      // Before the full mutation and the comparison count as done: the next run tries them again.
      throw failure;
    }
    isFullMutationDue &&= !isFull;
    if (isDue) {
      lastComparedAt = Date.now();
    }
  }

  /** @returns why the components could not be published */
  async function publish(
    connection: EntityProviderConnection,
    next: FleetInventory,
    changed: ChangedObjects,
    isFull: boolean,
  ): Promise<unknown> {
    const resources = changedResources(next, changed, options);
    // The titles have the hub in them, or have it no longer.
    const isRenamed = next.hubs.size > 1 !== (inventory?.hubs.size ?? 0) > 1;
    const added = isRenamed
      ? fleetResources(next, options)
      : resources.entities;
    const changedSets = new Set([
      ...(setsOfDueComponents ?? []),
      ...changed.applicationSets.map(applicationSetResourceRef),
    ]);
    let existing: ReadonlyMap<string, Entity>;
    try {
      existing = await existingComponents(next);
    } catch (error) {
      await applyDelta(connection, added, resources.removed);
      setsOfDueComponents = changedSets;
      return error;
    }
    const { entities, problems } = fleetComponents(next, options, existing);
    reportProblems(problems);
    const nextComponents = new Map(
      entities.map(entity => [stringifyEntityRef(entity), entity]),
    );
    if (isFull) {
      await connection.applyMutation({
        type: 'full',
        entities: [...fleetResources(next, options), ...entities].map(deferred),
      });
    } else {
      const addedComponents = [...nextComponents].flatMap(([ref, entity]) =>
        dependsOnAny(entity, changedSets) ||
        !isDeepStrictEqual(components.get(ref), entity)
          ? entity
          : [],
      );
      const removedComponents = [...components.keys()].filter(
        ref => !nextComponents.has(ref),
      );
      await applyDelta(
        connection,
        [...added, ...addedComponents],
        [...resources.removed, ...removedComponents],
      );
    }
    components = nextComponents;
    setsOfDueComponents = undefined;
    return undefined;
  }

  async function applyDelta(
    connection: EntityProviderConnection,
    added: readonly Entity[],
    removed: readonly string[],
  ): Promise<void> {
    if (added.length > 0 || removed.length > 0) {
      await connection.applyMutation({
        type: 'delta',
        added: added.map(deferred),
        removed: removed.map(entityRef => ({ entityRef, locationKey: NAME })),
      });
    }
  }

  /**
   * What the catalog has of the components that are defined. An entity provider replaces whatever has no location key, so
   * what comes from elsewhere must be known before a component is published for the first time.
   */
  async function existingComponents(
    next: FleetInventory,
  ): Promise<ReadonlyMap<string, Entity>> {
    const unknown = fleetComponentRefs(next).filter(
      ref => !components.has(ref),
    );
    if (unknown.length === 0) {
      return components;
    }
    try {
      return new Map([...components, ...(await findEntities(unknown))]);
    } catch (error) {
      throw new ForwardedError(
        'The catalog does not say which components it has, so they stay in it as they are; managed clusters and ApplicationSets are up to date',
        error,
      );
    }
  }

  /** @param since - undefined for everything */
  async function readInventory(
    since: string | undefined,
    signal: AbortSignal,
  ): Promise<Inventory> {
    try {
      return await client.getInventory(since, {
        token: await getToken(),
        signal,
      });
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

function dependsOnAny(entity: Entity, resources: ReadonlySet<string>): boolean {
  return [entity.spec?.dependsOn]
    .flat()
    .some(ref => typeof ref === 'string' && resources.has(ref));
}
