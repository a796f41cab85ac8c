import { HubClient, Json, Resource } from '../hub/hubClient';
import { LIMIT_MS } from '../polling';
import { applicationName } from './rolloutFixture';

/** One state of an object. Versions of one etcd are ordered across all resources. */
interface ObjectVersion {
  readonly version: number;
  readonly object: Json;
}

/** Status of an Application, on the hub or in the feedback of its ManifestWork. */
interface ApplicationStatus {
  readonly health?: string;
  readonly sync?: string;
  readonly phase?: string;
  readonly startedAt?: string;
}

/**
 * Hub versions at which a rollout requested an Application's sync and at which its cluster reported the sync as done.
 */
export interface RolledOut {
  readonly requested: number;
  readonly done: number;
}

const HUB_APPLICATION = 'apps.open-cluster-management.io/hub-application-name';

/** All states of a rollout's ApplicationSet, Applications and ManifestWorks, recorded by watches. */
export class RolloutHistory {
  readonly #hub: HubClient;
  readonly #stop = new AbortController();
  readonly #applications = new Map<string, ObjectVersion[]>();
  readonly #works = new Map<string, ObjectVersion[]>();
  readonly #applicationSets: ObjectVersion[] = [];
  /** The last version of each object, by its uid. */
  readonly #lastVersions = new Map<string, number>();
  #namespace = '';
  #clusters: readonly string[] = [];
  readonly #listeners = new Set<() => void>();
  #failure: unknown;

  constructor(hub: HubClient) {
    this.#hub = hub;
  }

  /** Watches the Applications and ApplicationSets of the namespace and the ManifestWorks of the clusters. */
  watch(namespace: string, clusters: readonly string[]): void {
    this.#namespace = namespace;
    this.#clusters = clusters;
    this.#record('applications', namespace, ({ metadata }) =>
      listAt(this.#applications, metadata.name),
    );
    this.#record('applicationsets', namespace, () => this.#applicationSets);
    for (const cluster of clusters) {
      this.#record('manifestworks', cluster, ({ metadata }) =>
        listAt(this.#works, metadata.annotations?.[HUB_APPLICATION] ?? ''),
      );
    }
  }

  #record(
    resource: Resource,
    namespace: string,
    listFor: (object: Json) => ObjectVersion[],
  ): void {
    const { signal } = this.#stop;
    this.#hub
      .watch(
        resource,
        namespace,
        object => {
          const version = Number(object.metadata.resourceVersion);
          this.#lastVersions.set(object.metadata.uid, version);
          listFor(object).push({ version, object });
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

  /**
   * Resolves once the check passes, which runs at every event; rejects after {@link LIMIT_MS} with `goal` and the details.
   */
  waitFor(goal: string, check: () => boolean, details = () => '') {
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
        reject(new Error(`Not reached: ${goal}${details()}`));
      }, LIMIT_MS);
      ended.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
      });
      this.#listeners.add(listener);
      listener();
    });
  }

  /** Like {@link waitFor} for every Application; rejects with the state of those that fail the check. */
  waitForEach(goal: string, check: (name: string) => boolean) {
    const names = this.#clusters.map(applicationName);
    return this.waitFor(
      goal,
      () => names.every(check),
      () =>
        names
          .filter(name => !check(name))
          .map(name => `\n${this.#describe(name)}`)
          .join(''),
    );
  }

  /** Resolves once every watch has delivered the hub's current state. */
  async waitForWatches(): Promise<void> {
    const resources = [
      'applications',
      'applicationsets',
      'manifestworks',
    ] as const;
    const lists = await Promise.all(
      resources.map(resource => this.#hub.list(resource)),
    );
    const namespaces = [this.#namespace, ...this.#clusters];
    const objects = lists
      .flat()
      .filter(({ metadata }) => namespaces.includes(metadata.namespace ?? ''));
    await this.waitFor('watches deliver the current state', () =>
      objects.every(
        ({ metadata: { uid, resourceVersion } }) =>
          (this.#lastVersions.get(uid) ?? 0) >= Number(resourceVersion),
      ),
    );
  }

  /** The last state of the ApplicationSet. */
  applicationSet(): Json | undefined {
    return this.#applicationSets.at(-1)?.object;
  }

  /** An Application's status in the rollout: `Waiting`, `Pending`, `Progressing` or `Healthy`. */
  rolloutStatus(name: string): string | undefined {
    return this.applicationSet()?.status?.applicationStatus?.find(
      ({ application }: Json) => application === name,
    )?.status;
  }

  /** The last state of a hub Application. */
  application(name: string): Json | undefined {
    return this.#applications.get(name)?.at(-1)?.object;
  }

  /**
   * Whether hub and cluster report the Application as synced and healthy, without an operation on the hub or still in
   * the work.
   */
  isSettled(name: string): boolean {
    const application = this.application(name);
    const work = this.#works.get(name)?.at(-1)?.object;
    return (
      work !== undefined &&
      [statusOf(application), feedbackOf(work)].every(
        ({ sync, health, phase }) =>
          sync === 'Synced' && health === 'Healthy' && phase === 'Succeeded',
      ) &&
      !application?.operation &&
      !payloadOf(work)?.operation
    );
  }

  /** State of an Application on hub and cluster, for failures that are hard to reproduce. */
  #describe(name: string): string {
    const application = this.#applications.get(name)?.at(-1);
    const work = this.#works.get(name)?.at(-1);
    const requested = this.#applications
      .get(name)
      ?.findLast(({ object }) => object.operation);
    const operation = (object: Json | undefined) =>
      object?.operation ? ', sync requested' : '';
    return [
      `${name}: ${this.rolloutStatus(name)}, last sync requested at ${requested?.version}`,
      `hub at ${application?.version}: ${format(statusOf(application?.object))}${operation(application?.object)}`,
      `work at ${work?.version}: ${format(feedbackOf(work?.object))}${operation(payloadOf(work?.object))}`,
    ].join('; ');
  }

  /** The latest version of any Application or work. */
  version(): number {
    return Math.max(
      0,
      ...[...this.#applications.values(), ...this.#works.values()].map(
        events => events.at(-1)?.version ?? 0,
      ),
    );
  }

  /** When an Application rolled out after a version; undefined until it is done. */
  rolledOut(name: string, since: number): RolledOut | undefined {
    const works = this.#works.get(name) ?? [];
    const before = works.findLast(({ version }) => version <= since);
    const startedBefore = before && feedbackOf(before.object).startedAt;
    const requested = this.#applications
      .get(name)
      ?.find(({ version, object }) => version > since && object.operation);
    const done = works.find(({ version, object }) => {
      const { health, sync, phase, startedAt } = feedbackOf(object);
      return (
        version > since &&
        startedAt !== undefined &&
        startedAt !== startedBefore &&
        phase === 'Succeeded' &&
        sync === 'Synced' &&
        health === 'Healthy'
      );
    });
    return (
      requested && done && { requested: requested.version, done: done.version }
    );
  }

  stop(): void {
    this.#stop.abort();
  }
}

function listAt(
  lists: Map<string, ObjectVersion[]>,
  key: string,
): ObjectVersion[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function feedbackOf(work: Json | undefined): ApplicationStatus {
  const manifest = work?.status?.resourceStatus?.manifests?.find(
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

/** The Application in a ManifestWork's payload. */
function payloadOf(work: Json | undefined): Json | undefined {
  return work?.spec.workload.manifests.find(
    ({ kind }: Json) => kind === 'Application',
  );
}

function statusOf(application: Json | undefined): ApplicationStatus {
  const { sync, health, operationState } = application?.status ?? {};
  return {
    health: health?.status,
    sync: sync?.status,
    phase: operationState?.phase,
    startedAt: operationState?.startedAt,
  };
}

function format({ sync, health, phase, startedAt }: ApplicationStatus): string {
  return `${sync} ${health} ${phase} ${startedAt}`;
}
