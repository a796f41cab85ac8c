import { ApiRequest, matches } from './apiRequest';
import { CompleteFault, FaultOf } from './fault';
import { RandomNumbers } from './randomNumbers';

type FaultType = CompleteFault['type'];

/** Verbs that a fault can hit at all, where that is not all of them. */
const OWN_VERBS: Partial<Record<FaultType, readonly string[]>> = {
  conflict: ['update', 'patch', 'delete'],
  listPage: ['list'],
  watchSilence: ['watch'],
  watchExpired: ['watch'],
};

/** A fault that is switched on. */
export interface ActiveFault<T extends CompleteFault = CompleteFault> {
  readonly id: string;
  readonly fault: T;
  /** How often it hit. */
  hits: number;
}

/** The faults that are on, in the order in which they were added. */
export class ActiveFaults {
  private active: ActiveFault[] = [];
  private added = 0;

  constructor(private readonly random: RandomNumbers) {}

  add(fault: CompleteFault): ActiveFault {
    this.added += 1;
    const entry = { id: String(this.added), fault, hits: 0 };
    this.active.push(entry);
    return entry;
  }

  /** Returns the faults that are off now. */
  remove(id?: string): readonly ActiveFault[] {
    const removed = this.active.filter(
      entry => id === undefined || entry.id === id,
    );
    this.active = this.active.filter(entry => !removed.includes(entry));
    return removed;
  }

  list(): readonly ActiveFault[] {
    return this.active;
  }

  /** Faults that may hit a request, spent ones left out. */
  candidates(request: ApiRequest): readonly ActiveFault[] {
    return this.active.filter(entry => this.concerns(entry, request));
  }

  /** Whether a fault may hit a request. */
  concerns({ fault, hits }: ActiveFault, request: ApiRequest): boolean {
    return (
      (fault.count === undefined || hits < fault.count) &&
      (OWN_VERBS[fault.type]?.includes(request.verb) ??
        request.resource !== '') &&
      matches(fault.match, request)
    );
  }

  /** Throws the dice for a fault that may hit, and counts. */
  strikes(entry: ActiveFault): boolean {
    const { probability } = entry.fault;
    const hit = probability === 1 || this.random.next() < probability;
    if (hit) {
      entry.hits += 1;
    }
    return hit;
  }

  /** Milliseconds that a latency takes this time. */
  delay({ milliseconds, jitterMilliseconds }: FaultOf<'latency'>): number {
    return milliseconds + this.random.next() * jitterMilliseconds;
  }
}
