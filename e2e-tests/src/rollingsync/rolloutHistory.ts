import { Json } from '../oracle/oracleCase';
import { HubAccess, Resource } from '../../hub';

/** Something that happened on the hub; versions of one etcd are in one order for all resources. */
interface Event {
  readonly version: number;
  readonly object: Json;
}

/** What an Application's cluster says in its work. */
interface Reported {
  readonly health?: string;
  readonly sync?: string;
  readonly phase?: string;
  readonly startedAt?: string;
}

/** When an Application was told to sync in a rollout, and when its cluster had done so; versions of the hub. */
export interface Rolled {
  readonly told: number;
  readonly done: number;
}

const HUB_APPLICATION = 'apps.open-cluster-management.io/hub-application-name';

/** Everything that happened to the Applications and works of a namespace, as its watches told it. */
export class RolloutHistory {
  readonly #hub: HubAccess;
  readonly #stop = new AbortController();
  readonly #applications = new Map<string, Event[]>();
  readonly #works = new Map<string, Event[]>();
  readonly #applicationSets: Event[] = [];
  readonly #listeners = new Set<() => void>();
  #failure: unknown;

  constructor(hub: HubAccess) {
    this.#hub = hub;
  }

  /** Watches the Applications of the namespace and the works of the clusters. */
  watch(namespace: string, clusters: readonly string[]): void {
    this.#follow('applications', namespace, ({ metadata }) =>
      add(this.#applications, metadata.name),
    );
    this.#follow('applicationsets', namespace, () => this.#applicationSets);
    for (const cluster of clusters) {
      this.#follow('manifestworks', cluster, ({ metadata }) =>
        add(this.#works, metadata.annotations?.[HUB_APPLICATION] ?? ''),
      );
    }
  }

  #follow(
    resource: Resource,
    namespace: string,
    listOf: (object: Json) => Event[],
  ): void {
    const { signal } = this.#stop;
    this.#hub
      .watch(
        resource,
        namespace,
        object => {
          const version = Number(object.metadata.resourceVersion);
          listOf(object).push({ version, object });
          this.#listeners.forEach(listener => listener());
        },
        signal,
      )
      .catch(error => {
        if (!signal.aborted) {
          this.#failure = error;
          this.#listeners.forEach(listener => listener());
        }
      });
  }

  /** Resolves once the check holds, which is asked at every event; rejects with `what` after so many milliseconds. */
  until(what: string, check: () => boolean, timeoutMs = 120_000) {
    return new Promise<void>((resolve, reject) => {
      const ended = new AbortController();
      const listener = () => {
        if (this.#failure) {
          ended.abort();
          reject(this.#failure);
        } else if (check()) {
          ended.abort();
          resolve();
        }
      };
      const timer = setTimeout(() => {
        ended.abort();
        reject(new Error(`Never came: ${what}`));
      }, timeoutMs);
      ended.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
      });
      this.#listeners.add(listener);
      listener();
    });
  }

  /** What the ApplicationSet controller says of an Application in its rollout: `Waiting`, `Pending`, `Progressing` or `Healthy`. */
  rollout(name: string): string | undefined {
    const set = this.#applicationSets.at(-1)?.object;
    return set?.status?.applicationStatus?.find(
      ({ application }: Json) => application === name,
    )?.status;
  }

  /** The hub Application as it was last. */
  application(name: string): Json | undefined {
    return this.#applications.get(name)?.at(-1)?.object;
  }

  /** Whether the hub has the Application in sync and healthy, and nobody asks for more. */
  isSettled(name: string): boolean {
    const application = this.application(name);
    const { sync, health, operationState } = application?.status ?? {};
    return (
      sync?.status === 'Synced' &&
      health?.status === 'Healthy' &&
      operationState?.phase === 'Succeeded' &&
      !application?.operation
    );
  }

  /** The last version that anything had. */
  version(): number {
    return Math.max(
      0,
      ...[...this.#applications.values(), ...this.#works.values()].map(
        events => events.at(-1)?.version ?? 0,
      ),
    );
  }

  /** What became of an Application since a version; undefined while it is not done. */
  rolled(name: string, since: number): Rolled | undefined {
    const works = this.#works.get(name) ?? [];
    const before = works.findLast(({ version }) => version <= since);
    const started = before && reportedBy(before.object).startedAt;
    const told = this.#applications
      .get(name)
      ?.find(({ version, object }) => version > since && object.operation);
    const done = works.find(({ version, object }) => {
      const { health, sync, phase, startedAt } = reportedBy(object);
      return (
        version > since &&
        startedAt !== undefined &&
        startedAt !== started &&
        phase === 'Succeeded' &&
        sync === 'Synced' &&
        health === 'Healthy'
      );
    });
    return told && done && { told: told.version, done: done.version };
  }

  stop(): void {
    this.#stop.abort();
  }
}

function add(lists: Map<string, Event[]>, key: string): Event[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function reportedBy(work: Json): Reported {
  const manifest = work.status?.resourceStatus?.manifests?.find(
    ({ resourceMeta }: Json) => resourceMeta.kind === 'Application',
  );
  const values = Object.fromEntries(
    (manifest?.statusFeedback?.values ?? []).map(
      ({ name, fieldValue }: Json) => [name, fieldValue.string],
    ),
  );
  return {
    health: values.healthStatus,
    sync: values.syncStatus,
    phase: values.operationStatePhase,
    startedAt: values.operationStateStartedAt,
  };
}
