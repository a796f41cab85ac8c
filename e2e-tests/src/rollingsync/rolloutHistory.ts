import { Json } from '../oracle/oracleCase';
import { HubAccess, Resource } from '../../hub';
import { applicationName } from './rolloutWorld';

/** Something that happened on the hub; versions of one etcd are in one order for all resources. */
interface Event {
  readonly version: number;
  readonly object: Json;
}

/** What is said of an Application: by its cluster in the work, and by the hub. */
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

const TIMEOUT_MS = 120_000;

const HUB_APPLICATION = 'apps.open-cluster-management.io/hub-application-name';

/** Everything that happened to the Applications and works of a namespace, as its watches told it. */
export class RolloutHistory {
  readonly #hub: HubAccess;
  readonly #stop = new AbortController();
  readonly #applications = new Map<string, Event[]>();
  readonly #works = new Map<string, Event[]>();
  readonly #applicationSets: Event[] = [];
  /** The last version of each object, by its uid. */
  readonly #versions = new Map<string, number>();
  #namespace = '';
  #clusters: readonly string[] = [];
  readonly #listeners = new Set<() => void>();
  #failure: unknown;

  constructor(hub: HubAccess) {
    this.#hub = hub;
  }

  /** Watches the Applications of the namespace and the works of the clusters. */
  watch(namespace: string, clusters: readonly string[]): void {
    this.#namespace = namespace;
    this.#clusters = clusters;
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
          this.#versions.set(object.metadata.uid, version);
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

  /** Resolves once the check holds, which is asked at every event; rejects after two minutes with `what` and what `where` says then. */
  until(what: string, check: () => boolean, where = () => '') {
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
        reject(new Error(`Never came: ${what}${where()}`));
      }, TIMEOUT_MS);
      ended.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
      });
      this.#listeners.add(listener);
      listener();
    });
  }

  /** Like {@link until}, for a check of every Application; rejects with where those are for which it does not hold. */
  untilEach(what: string, check: (name: string) => boolean) {
    const names = this.#clusters.map(applicationName);
    return this.until(
      what,
      () => names.every(check),
      () =>
        names
          .filter(name => !check(name))
          .map(name => `\n${this.#whereIs(name)}`)
          .join(''),
    );
  }

  /** Resolves once every watch has told what is on the hub now. */
  async caughtUp(): Promise<void> {
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
    await this.until('the watches tell what is on the hub', () =>
      objects.every(
        ({ metadata: { uid, resourceVersion } }) =>
          (this.#versions.get(uid) ?? 0) >= Number(resourceVersion),
      ),
    );
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

  /**
   * Whether hub and cluster have the Application in sync and healthy, and nobody asks for more: an operation that is off the hub may
   * still be on its way in the work.
   */
  isSettled(name: string): boolean {
    const application = this.application(name);
    const work = this.#works.get(name)?.at(-1)?.object;
    return (
      work !== undefined &&
      [statusOf(application), reportedBy(work)].every(
        ({ sync, health, phase }) =>
          sync === 'Synced' && health === 'Healthy' && phase === 'Succeeded',
      ) &&
      !application?.operation &&
      !payloadOf(work)?.operation
    );
  }

  /** For a failure that nobody sees happen again: how far an Application has come, everywhere. */
  #whereIs(name: string): string {
    const application = this.#applications.get(name)?.at(-1);
    const work = this.#works.get(name)?.at(-1);
    const told = this.#applications
      .get(name)
      ?.findLast(({ object }) => object.operation);
    const asks = (object: Json | undefined) =>
      object?.operation ? ', asks for a sync' : '';
    return [
      `${name}: ${this.rollout(name)}, last told to sync at ${told?.version}`,
      `hub at ${application?.version}: ${inWords(statusOf(application?.object))}${asks(application?.object)}`,
      `work at ${work?.version}: ${inWords(reportedBy(work?.object))}${asks(payloadOf(work?.object))}`,
    ].join('; ');
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

function reportedBy(work: Json | undefined): Reported {
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

/** The Application that a work carries. */
function payloadOf(work: Json | undefined): Json | undefined {
  return work?.spec.workload.manifests.find(
    ({ kind }: Json) => kind === 'Application',
  );
}

function statusOf(application: Json | undefined): Reported {
  const { sync, health, operationState } = application?.status ?? {};
  return {
    health: health?.status,
    sync: sync?.status,
    phase: operationState?.phase,
    startedAt: operationState?.startedAt,
  };
}

function inWords({ sync, health, phase, startedAt }: Reported): string {
  return `${sync} ${health} ${phase} ${startedAt}`;
}
