import type { LoggerService } from '@backstage/backend-plugin-api';
import { ServiceUnavailableError } from '@backstage/errors';
import {
  HOSTING_APPLICATION_SET_ANNOTATION,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { raceWithAbort } from '../../async';
import type { RemovalStore, StoredOrder } from '../../database';
import {
  createDeliveredApplications,
  FLEET_RESOURCES,
  hasDropped,
  resourceDefinition,
  stillMakes,
  type FleetCache,
  type FleetEvent,
} from '../../fleet';
import {
  errorMessage,
  findObject,
  isKubernetesError,
  listAll,
  objectKey,
  parseKey,
  type KubernetesClient,
} from '../../kubernetes/client';
import {
  applicationSetReference,
  hubApplicationOf,
  targetCluster,
  type OrphanReason,
} from '../../model/delivery';
import type { MergePatch } from '../../model/json';
import {
  decideWork,
  endOfDelivery,
  freezePatch,
  isFrozenByOthers,
  releaseOf,
  releasePatch,
  REMOVAL_TIMES,
  type RemovalTimes,
  type WorkDecision,
  type WorkFacts,
} from '../../model/removal';
import {
  createRewriteDamper,
  type ReconcileContext,
  type RewriteDamper,
} from '../../runtime';
import { createDeletionBrake, type DeletionBrake } from './deletionBrake';
import { createKnownApplicationSets } from './knownApplicationSets';
import { createRareWarnings } from './rareWarnings';
import { createReleaseOrders, type ReleaseOrders } from './releaseOrders';

/** Milliseconds after which a work is looked at again whose deletion the hub did not confirm. */
const RETRY_MS = 5_000;
/** Milliseconds for which it is believed that an ApplicationSet is gone. */
const CONFIRMED_MS = 5_000;

/** Milliseconds that a key waits for the database. */
const DATABASE_MS = 5_000;
/** Milliseconds after a failure in which deliveries do not wait for the database. */
const QUIET_MS = 5_000;

interface SetIdentity {
  /** `<namespace>/<name>`. */
  readonly key: string;
  /** Undefined where nobody knows it any more. */
  readonly uid?: string;
}

/** What became of a work that does not deliver. */
export interface RemovalOutcome {
  readonly decision: WorkDecision;
  /**
   * `deleted` or being so; `counted` waits for its batch, `held` for a person; `left` stays for now as the decision says.
   */
  readonly state: 'deleted' | 'counted' | 'held' | 'left';
  /** Milliseconds after which the decision may be another one, though nothing happens on the hub. */
  readonly requeueAfterMs?: number;
}

/** Decides about works that deliver no longer, and carries out what is decided. Nothing else deletes a work. */
export interface WorkRemovals {
  /** Must be called at the beginning of each run. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Must be called before anything is written for the key of an Application. Never waits long, and never rejects. */
  begin(
    application: ArgoApplication | undefined,
    works: readonly ManifestWork[],
  ): Promise<void>;
  /**
   * @param application - the hub Application of the work
   * @param successor - the work that delivers the Application
   */
  handle(
    work: ManifestWork,
    application: ArgoApplication | undefined,
    successor: ManifestWork | undefined,
    context: ReconcileContext,
  ): Promise<RemovalOutcome>;
  /** Calls back with keys of hub Applications whose works may have another outcome now. */
  onDecided(listener: (keys: Iterable<string>) => void): () => void;
  readonly brake: DeletionBrake;
  readonly orders: ReleaseOrders;
  /** Of works, by namespace and name: a cluster's agent may undo again and again what is written to one. */
  readonly damper: RewriteDamper;
}

/** Creates the removals of one hub. */
export function createWorkRemovals(options: {
  readonly cache: FleetCache;
  readonly client: KubernetesClient;
  readonly store: RemovalStore;
  readonly logger: LoggerService;
  /** What was held before this time may be deleted, in milliseconds since the epoch. */
  readonly releaseHeldBefore?: number;
  /** Whether the hub's works can have condition rules. */
  readonly handsOver?: () => boolean;
  readonly times?: Partial<RemovalTimes>;
}): WorkRemovals {
  const {
    cache,
    client,
    store,
    logger,
    releaseHeldBefore = 0,
    handsOver = () => true,
  } = options;
  const times = { ...REMOVAL_TIMES, ...options.times };
  const orders = createReleaseOrders({ cache, store });
  const sets = createKnownApplicationSets({ cache, store });
  const damper = createRewriteDamper();
  const worksLeft = createDeliveredApplications(cache);
  const brake = createDeletionBrake({
    hub: cache.hub,
    store,
    logger,
    batchMs: times.batchMs,
    worksLeft,
    isBehind,
    mayFollow,
  });
  /** Why works do not deliver and since when, by UID: milliseconds of the monotonic clock. */
  const unwanted = new Map<
    string,
    { readonly end: OrphanReason; readonly since: number }
  >();
  /** The owners of Applications that are gone while their works are not, by the Application's key. */
  const formerOwners = new Map<string, SetIdentity | undefined>();
  let hubUid = '';
  const confirmedOrders = new Map<
    string,
    { readonly at: number; readonly isGone: Promise<boolean> }
  >();

  cache.onChange(event => {
    noteFormerOwner(event);
    noteRelease(event);
    noteEnds(event);
  });

  /** Also while another replica runs: a work that delivered meanwhile has not been unwanted since its first end. */
  function noteEnds({ resource, key, after }: FleetEvent) {
    if (resource === 'applications' && unwanted.size > 0) {
      for (const work of cache.works.by('hubApplication', key)) {
        const { uid = '' } = work.metadata;
        const known = unwanted.get(uid);
        if (known && known.end !== endOfDelivery(work, after)) {
          unwanted.delete(uid);
        }
      }
    }
  }

  function noteFormerOwner(event: FleetEvent) {
    if (event.resource === 'applications') {
      const { key, before, after } = event;
      if (after) {
        formerOwners.delete(key);
      } else if (before && cache.works.by('hubApplication', key).length > 0) {
        formerOwners.set(key, ownerOf(before));
      }
    } else if (event.resource === 'works' && event.before && !event.after) {
      const { uid = '' } = event.before.metadata;
      unwanted.delete(uid);
      if (brake.get(uid)?.state !== 'allowed') {
        brake.withdraw(uid).catch(error => {
          // It is left out when the next run begins.
          logger.debug(`A wish could not be deleted: ${errorMessage(error)}`);
        });
      }
      const name = hubApplicationOf(event.before);
      const key = name && objectKey(name);
      if (key && cache.works.by('hubApplication', key).length === 0) {
        formerOwners.delete(key);
      }
    }
  }

  function noteRelease(event: FleetEvent) {
    if (
      event.resource === 'applicationSets' ||
      event.resource === 'applications'
    ) {
      orders.observe(
        event.resource === 'applications' ? 'Application' : 'ApplicationSet',
        event.before,
        event.after,
      );
    }
  }

  /** What the cluster's agent wrote into the work is the last that is believed. */
  function applicationSetOf(
    work: ManifestWork,
    application: ArgoApplication | undefined,
  ): SetIdentity | undefined {
    const name = hubApplicationOf(work);
    if (application || !name) {
      return application && ownerOf(application);
    }
    const key = objectKey(name);
    if (formerOwners.has(key)) {
      return formerOwners.get(key);
    }
    const set =
      brake.get(work.metadata.uid ?? '')?.applicationSet ??
      work.metadata.annotations?.[HOSTING_APPLICATION_SET_ANNOTATION];
    return set && parseKey(set).namespace === name.namespace
      ? { key: set }
      : undefined;
  }

  function unwantedMs({ metadata }: ManifestWork, end: OrphanReason): number {
    const now = performance.now();
    const { uid = '' } = metadata;
    const known = unwanted.get(uid);
    if (known?.end === end) {
      return now - known.since;
    }
    unwanted.set(uid, { end, since: now });
    return 0;
  }

  /**
   * Whether the set may be about to lose all that it has left: Applications whose clusters its Placement does not select
   * any more, which Argo CD's controller will delete, however slow it is; or works whose Application is gone and that are
   * not wanted gone yet, for example as the status of the set still lists it.
   */
  function mayFollow(applicationSet: string): boolean {
    const left = cache.applications
      .by('applicationSet', applicationSet)
      .filter(
        ({ metadata }) =>
          !metadata.deletionTimestamp && worksLeft.has(objectKey(metadata)),
      );
    const isDropped = (application: ArgoApplication) =>
      hasDropped(cache, applicationSet, targetCluster(application) ?? '');
    const isAwaited = (work: ManifestWork) => {
      const { uid = '', deletionTimestamp } = work.metadata;
      const name = hubApplicationOf(work);
      return (
        name &&
        !deletionTimestamp &&
        !brake.get(uid) &&
        !cache.applications.get(objectKey(name)) &&
        !isFrozenByOthers(work)
      );
    };
    return (
      left.every(isDropped) &&
      (left.length > 0 ||
        cache.works.by('applicationSet', applicationSet).some(isAwaited))
    );
  }

  /** Whether the Application of a work is gone, and the work was not decided about since. */
  function isBehind(): boolean {
    for (const key of cache.works.values('hubApplication')) {
      const application = cache.applications.get(key);
      if (!application || application.metadata.deletionTimestamp) {
        for (const work of cache.works.by('hubApplication', key)) {
          const { uid = '', deletionTimestamp } = work.metadata;
          const end = endOfDelivery(work, application);
          if (!deletionTimestamp && unwanted.get(uid)?.end !== end) {
            return true;
          }
        }
      }
    }
    return false;
  }

  function decide(
    work: ManifestWork,
    application: ArgoApplication | undefined,
    successor: ManifestWork | undefined,
    end: OrphanReason,
  ): WorkDecision {
    const { namespace = '' } = work.metadata;
    const set = applicationSetOf(work, application);
    const wish = brake.get(work.metadata.uid ?? '');
    const isReleased =
      wish?.state === 'held' && (wish.decidedAt ?? 0) < releaseHeldBefore;
    return decideWork(
      {
        work,
        application,
        successor: successor === work ? undefined : successor,
        hasCluster: cache.clusters.get(namespace) !== undefined,
        order:
          orders.orderFor(work)?.release ?? (isReleased ? 'remove' : undefined),
        applicationSet: fateOf(set, work),
        handsOver: handsOver(),
        unwantedMs: unwantedMs(work, end),
      },
      times,
    );
  }

  function fateOf(
    set: SetIdentity | undefined,
    work: ManifestWork,
  ): WorkFacts['applicationSet'] {
    if (!set) {
      return 'other';
    }
    if (sets.wasDeleted(set.key, set.uid)) {
      return 'deleted';
    }
    return stillMakes(cache, set.key, work) ? 'makes' : 'other';
  }

  /** Returns the milliseconds to wait where another writer undoes it; otherwise undefined. */
  async function write(
    what: string,
    work: ManifestWork,
    patch: MergePatch,
    writer: ReconcileContext['writer'],
  ): Promise<number | undefined> {
    const { waitMs } = await damper.write(objectKey(work.metadata), what, () =>
      writer.patch('works', work, patch),
    );
    return waitMs || undefined;
  }

  async function carryOut(
    decision: WorkDecision,
    work: ManifestWork,
    application: ArgoApplication | undefined,
    successor: ManifestWork | undefined,
    { writer, signal, logger: log }: ReconcileContext,
  ): Promise<RemovalOutcome> {
    const { uid = '', namespace, name } = work.metadata;
    switch (decision.kind) {
      case 'keep': {
        if (decision.freeze) {
          const patch = freezePatch(work, new Date().toISOString());
          const requeueAfterMs = await write('freeze', work, patch, writer);
          return { decision, state: 'left', requeueAfterMs };
        }
        return {
          decision,
          state: 'left',
          ...(decision.reason === 'notPullModel' && {
            requeueAfterMs: timeLeft(uid, times.freezeMs),
          }),
        };
      }
      case 'wait':
        return {
          decision,
          state: 'left',
          ...(decision.for === 'successor' && {
            requeueAfterMs: timeLeft(uid, times.successorMs),
          }),
        };
      case 'release': {
        const patch = releasePatch(work, decision.release);
        const requeueAfterMs =
          patch && (await write(decision.release, work, patch, writer));
        return { decision, state: 'left', requeueAfterMs };
      }
      case 'delete':
        break;
      default:
        return { decision, state: 'left' };
    }
    const wanted = {
      uid,
      work: objectKey(work.metadata),
      application: objectKey(hubApplicationOf(work)!),
      applicationSet: applicationSetOf(work, application)?.key,
    };
    if (writer.isWithheld) {
      if (decision.reason === 'applicationGone') {
        // Once it may be deleted, it is counted: what was withheld must not be carried out as a backlog.
        await soon(brake.withhold(wanted));
      }
      await writer.delete('works', work);
      return { decision, state: 'left' };
    }
    if (decision.counted) {
      const wish = await soon(brake.want(wanted));
      if (wish.state !== 'allowed') {
        return {
          decision,
          state: wish.state === 'held' ? 'held' : 'counted',
        };
      }
    }
    if (!(await isConfirmed(decision, work, application, successor, signal))) {
      return { decision, state: 'left', requeueAfterMs: RETRY_MS };
    }
    log.info(`ManifestWork is deleted: ${decision.reason}`, {
      hub: cache.hub,
      namespace,
      name,
    });
    await writer.delete('works', work);
    return { decision, state: 'deleted' };
  }

  function timeLeft(uid: string, totalMs: number): number {
    const { since } = unwanted.get(uid) ?? { since: performance.now() };
    return Math.max(0, since + totalMs - performance.now());
  }

  /** Whether the hub itself says the same as the cache: its watches may be behind each other, or be silent. */
  async function isConfirmed(
    { reason, counted }: Extract<WorkDecision, { kind: 'delete' }>,
    work: ManifestWork,
    application: ArgoApplication | undefined,
    successor: ManifestWork | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const name = hubApplicationOf(work);
    if (!name) {
      return false;
    }
    const now = await findObject(client, FLEET_RESOURCES.applications, name, {
      signal,
    });
    if (
      now?.metadata.uid !== application?.metadata.uid &&
      // Between both, an Application that was being deleted may have gone.
      (now || !application?.metadata.deletionTimestamp)
    ) {
      return false;
    }
    if (endOfDelivery(work, now) !== endOfDelivery(work, application)) {
      return false;
    }
    switch (reason) {
      case 'clusterGone': {
        const { namespace = '' } = work.metadata;
        return !(await onHub('clusters', { name: namespace }, signal));
      }
      case 'recreated':
      case 'retargeted':
      case 'moved': {
        const there =
          successor && (await onHub('works', successor.metadata, signal));
        return (
          there !== undefined &&
          there.metadata.uid === successor?.metadata.uid &&
          !there.metadata.deletionTimestamp
        );
      }
      case 'ordered':
        return isStillOrdered(work, signal);
      case 'applicationGone':
        return counted || isOrderConfirmed(work, application, signal);
      default:
        return true;
    }
  }

  /** An order holds as long as the annotation says the same, and after its object is gone. */
  async function isStillOrdered(work: ManifestWork, signal: AbortSignal) {
    const order = orders.orderFor(work);
    if (!order) {
      // The configuration released it.
      return true;
    }
    const { resource, key } = annotatedObject(order);
    const object = await onHub(resource, parseKey(key), signal);
    return (
      !object ||
      object.metadata.uid !== order.uid ||
      releaseOf(object) === order.release
    );
  }

  /** The deletion of one ApplicationSet is read from the hub once for all of its works. */
  async function isOrderConfirmed(
    work: ManifestWork,
    application: ArgoApplication | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const key = applicationSetOf(work, application)?.key ?? '';
    let known = confirmedOrders.get(key);
    if (!known || known.at < performance.now() - CONFIRMED_MS) {
      known = { at: performance.now(), isGone: isSetGone(key, signal) };
      confirmedOrders.set(key, known);
      known.isGone.catch(() => confirmedOrders.delete(key));
    }
    return known.isGone;
  }

  async function isSetGone(key: string, signal: AbortSignal) {
    const set = await onHub('applicationSets', parseKey(key), signal);
    return (
      (!set || set.metadata.deletionTimestamp !== undefined) &&
      (await readHubUid(signal)) === hubUid
    );
  }

  /** A hub that was made anew or replaced has another UID of this definition. */
  async function readHubUid(signal: AbortSignal): Promise<string> {
    const { resource, name } = resourceDefinition(FLEET_RESOURCES.works);
    try {
      const definition = await client.get(resource, { name }, { signal });
      return definition.metadata.uid ?? '';
    } catch (error) {
      if (isKubernetesError(error, 'forbidden', 'notFound')) {
        return '';
      }
      throw error;
    }
  }

  /** The object as the hub has it now. A list needs no permission that the cache does not need. */
  async function onHub(
    resource: 'clusters' | 'works' | 'applications' | 'applicationSets',
    { namespace, name }: { readonly namespace?: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined> {
    const [found] = await listAll<KubernetesObject>(
      client,
      FLEET_RESOURCES[resource],
      { namespace, fieldSelector: `metadata.name=${name}`, signal },
    );
    return found;
  }

  /** Until then it is not known which of them are gone, and what was ordered. */
  function knowsApplicationSets(): boolean {
    return (
      cache.isKnown('applicationSets') || cache.isNotServed('applicationSets')
    );
  }

  let isLoaded = false;
  /** Until when the database is not asked again after a failure; milliseconds of the monotonic clock. */
  let quietUntil = 0;
  let loading: Promise<void> | undefined;
  let run: AbortSignal | undefined;

  /** Reads what is stored, once in a run. Until that has succeeded nothing is deleted, and everything is delivered. */
  async function load(signal: AbortSignal) {
    if (!isLoaded) {
      const own = (loading ??= loadAll(signal));
      await own.finally(() => {
        if (loading === own) {
          loading = undefined;
        }
      });
    }
  }

  async function loadAll(signal: AbortSignal) {
    confirmedOrders.clear();
    hubUid = await readHubUid(signal);
    await sets.prepare(hubUid);
    await orders.prepare();
    if (run !== signal) {
      return;
    }
    await brake.load(({ uid, work, application }) => {
      const now = cache.works.get(work);
      return (
        now?.metadata.uid === uid &&
        endOfDelivery(now, cache.applications.get(application)) !== undefined
      );
    }, signal);
    isLoaded ||= run === signal;
  }

  const warnRarely = createRareWarnings(logger);

  function warn(error: unknown) {
    warnRarely(
      'Deletions of ManifestWorks wait for the database',
      errorMessage(error),
    );
  }

  return {
    brake,
    orders,
    damper,
    async prepare(signal) {
      isLoaded = false;
      run = signal;
      // One of an earlier run may never end.
      loading = undefined;
      await soon(load(signal)).catch(warn);
    },
    async begin(application, works) {
      if (!isLoaded || performance.now() < quietUntil) {
        return;
      }
      try {
        await soon(orders.update());
        await soon(application && sets.record(application, works));
      } catch (error) {
        // Only deletions wait for the database: what concerns them is recorded later.
        quietUntil = performance.now() + QUIET_MS;
        warn(error);
      }
    },
    async handle(work, application, successor, context) {
      const end = endOfDelivery(work, application);
      const { uid = '' } = work.metadata;
      if (end === undefined) {
        unwanted.delete(uid);
        // It is delivered, whatever the database says.
        brake.withdraw(uid).catch(warn);
        return { decision: { kind: 'deliver' }, state: 'left' };
      }
      await soon(isLoaded ? undefined : load(context.signal));
      // An order that cannot be stored must not be overtaken by the deletion of its ApplicationSet.
      await soon(orders.update());
      if (end === 'applicationGone' && !knowsApplicationSets()) {
        const decision = { kind: 'wait', for: 'successor' } as const;
        return { decision, state: 'left', requeueAfterMs: RETRY_MS };
      }
      const decided = decide(work, application, successor, end);
      const decision =
        decided.kind === 'delete' &&
        decided.reason === 'applicationGone' &&
        brake.get(uid)?.wasWithheld
          ? { ...decided, counted: true }
          : decided;
      if (!mayStillBeHeld(decision) && !context.writer.isWithheld) {
        await soon(brake.withdraw(uid));
      }
      return carryOut(decision, work, application, successor, context);
    },
    onDecided: listener =>
      brake.onDecided(wishes =>
        listener(wishes.map(({ application }) => application)),
      ),
  };
}

function ownerOf(application: ArgoApplication): SetIdentity | undefined {
  const owner = applicationSetReference(application);
  const { namespace } = application.metadata;
  return (
    owner && {
      key: objectKey({ namespace, name: owner.name }),
      uid: owner.uid,
    }
  );
}

function annotatedObject({ owner }: StoredOrder) {
  const end = owner.indexOf('/');
  return {
    resource:
      owner.slice(0, end) === 'Application'
        ? ('applications' as const)
        : ('applicationSets' as const),
    key: owner.slice(end + 1),
  };
}

/** Whether a deletion that is held stays so: its Application is gone, or may come back. */
function mayStillBeHeld(decision: WorkDecision): boolean {
  return decision.kind === 'delete'
    ? decision.counted || decision.reason === 'ordered'
    : decision.kind === 'wait' && decision.for === 'successor';
}

/**
 * Mostly there is nothing to wait for.
 * @throws an error if the database, or what else is waited for, takes long: it goes on nevertheless
 */
async function soon<T>(result: Promise<T> | undefined): Promise<T> {
  if (!result) {
    return undefined as T;
  }
  const timeout = AbortSignal.timeout(DATABASE_MS);
  try {
    return await raceWithAbort(result, timeout);
  } catch (error) {
    throw timeout.aborted
      ? new ServiceUnavailableError(
          'The database of the plugin does not answer',
          error,
        )
      : error;
  }
}
