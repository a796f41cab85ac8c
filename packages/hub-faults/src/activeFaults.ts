import { ApiRequest, matches } from './apiRequest';
import { CompleteFault, FaultOf } from './fault';
import { RandomNumbers } from './randomNumbers';

type FaultType = CompleteFault['type'];

/** The verbs that a fault applies to; a type that is not listed applies to all verbs of resources. */
const VERBS_OF_TYPE: Partial<Record<FaultType, readonly string[]>> = {
  conflict: ['update', 'patch', 'delete'],
  listPage: ['list'],
  watchSilence: ['watch'],
  watchExpired: ['watch'],
};

/** A fault that is switched on. */
export interface ActiveFault<T extends CompleteFault = CompleteFault> {
  readonly id: string;
  readonly fault: T;
  /** Requests or watches that it has hit. */
  hits: number;
}

/** The faults that are switched on, in the order in which they were added. */
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

  /** Switches off one fault, or all; returns those that were removed. */
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

  /** The faults that apply to a request. */
  applicable(request: ApiRequest): readonly ActiveFault[] {
    return this.active.filter(entry => this.appliesTo(entry, request));
  }

  /** Whether a fault matches a request and has hits left. */
  appliesTo({ fault, hits }: ActiveFault, request: ApiRequest): boolean {
    return (
      (fault.count === undefined || hits < fault.count) &&
      (VERBS_OF_TYPE[fault.type]?.includes(request.verb) ??
        request.resource !== '') &&
      matches(fault.match, request)
    );
  }

  /** Draws by its probability whether a fault that applies hits this time, and counts the hit. */
  drawHit(entry: ActiveFault): boolean {
    const { probability } = entry.fault;
    const hit = probability === 1 || this.random.next() < probability;
    if (hit) {
      entry.hits += 1;
    }
    return hit;
  }

  /** Milliseconds of a latency fault for one request, jitter included. */
  drawLatency({
    milliseconds,
    jitterMilliseconds,
  }: FaultOf<'latency'>): number {
    return milliseconds + this.random.next() * jitterMilliseconds;
  }
}
