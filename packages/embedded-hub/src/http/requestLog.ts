/** One request, as it was answered. Watches are logged when they begin. */
export interface RequestLogEntry {
  /** When it was answered. */
  readonly at: Date;
  /** HTTP method. */
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  /** Kubernetes' verb (`list`, `patch`, …), or the HTTP method in lower case outside the API. */
  readonly verb: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly userAgent?: string;
  /** Bearer token, if one was sent; the hub asks for none. */
  readonly token?: string;
  /** HTTP status of the answer. */
  readonly status: number;
}

/** Entries kept; beyond that the oldest are dropped. */
const LIMIT = 50_000;

/** The requests that a hub has answered, oldest first. */
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
