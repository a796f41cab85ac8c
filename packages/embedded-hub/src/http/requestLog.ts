/** One request and the status of its response. Watches are logged when they start. */
export interface RequestLogEntry {
  /** Time of the response. */
  readonly at: Date;
  /** HTTP method. */
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** Kubernetes' verb (`list`, `patch`, …), or the HTTP method in lower case for paths that name no resource. */
  readonly verb: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly userAgent?: string;
  /** Bearer token of the request, if any. */
  readonly token?: string;
  /** HTTP status of the response. */
  readonly status: number;
}

/** Number of entries that are kept; older ones are dropped. */
const LIMIT = 50_000;

/** The requests that a hub has answered, the oldest first. */
export class RequestLog {
  readonly entries: RequestLogEntry[] = [];

  constructor(private readonly enabled: boolean) {}

  add(entry: RequestLogEntry): void {
    if (!this.enabled) {
      return;
    }
    this.entries.push(entry);
    if (this.entries.length > LIMIT * 1.1) {
      this.entries.splice(0, this.entries.length - LIMIT);
    }
  }

  clear(): void {
    this.entries.length = 0;
  }
}
