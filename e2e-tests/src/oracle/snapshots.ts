import { setTimeout as delay } from 'node:timers/promises';
import { HubClient, HubObject } from '../hub/hubClient';

/** The ApplicationSets and Applications of a namespace at one time. */
export interface Snapshot {
  readonly applicationSets: readonly HubObject[];
  readonly applications: readonly HubObject[];
}

/** Shares lists of a namespace among many cases, so that the number of cases does not add load to the hub. */
export class Snapshots {
  readonly #hub: HubClient;
  readonly #namespace: string;
  readonly #intervalMs: number;
  #next: Promise<Snapshot> | undefined;

  constructor(hub: HubClient, namespace: string, intervalMs: number) {
    this.#hub = hub;
    this.#namespace = namespace;
    this.#intervalMs = intervalMs;
  }

  /** A snapshot taken after this call. */
  next(): Promise<Snapshot> {
    this.#next ??= this.#take();
    return this.#next;
  }

  async #take(): Promise<Snapshot> {
    await delay(this.#intervalMs);
    // Calls from now on get the next snapshot.
    this.#next = undefined;
    const [applicationSets, applications] = await Promise.all([
      this.#hub.list('applicationsets', this.#namespace),
      this.#hub.list('applications', this.#namespace),
    ]);
    return { applicationSets, applications };
  }
}
