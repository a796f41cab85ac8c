import { Json } from './oracleCase';
import { OracleHub } from './oracleHub';

const ARGO = '/apis/argoproj.io/v1alpha1/namespaces';
const INTERVAL_MS = 100;

/** Everything of Argo CD's in a namespace at one time. */
export interface Snapshot {
  readonly applicationSets: readonly Json[];
  readonly applications: readonly Json[];
}

/** Looks at a namespace for many at once, so that their number is no load on the hub. */
export class Snapshots {
  readonly #hub: OracleHub;
  readonly #namespace: string;
  #next: Promise<Snapshot> | undefined;

  constructor(hub: OracleHub, namespace: string) {
    this.#hub = hub;
    this.#namespace = namespace;
  }

  /** A snapshot that is taken after the call. */
  next(): Promise<Snapshot> {
    this.#next ??= this.#take();
    return this.#next;
  }

  async #take(): Promise<Snapshot> {
    await new Promise(resolve => setTimeout(resolve, INTERVAL_MS));
    // Whoever asks from now on gets the one after.
    this.#next = undefined;
    const [applicationSets, applications] = await Promise.all(
      ['applicationsets', 'applications'].map(plural =>
        this.#hub.list(`${ARGO}/${this.#namespace}/${plural}`),
      ),
    );
    return { applicationSets, applications };
  }
}
