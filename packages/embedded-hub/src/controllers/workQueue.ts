/** Milliseconds for which the queue may block the event loop. */
const SLICE_MS = 5;

/** A queue of keys for one reconcile function; a key that is waiting is not added twice. */
export class WorkQueue {
  private readonly waiting = new Set<string>();
  private scheduled: NodeJS.Immediate | undefined;
  private stopped = false;

  constructor(
    private readonly reconcile: (key: string) => void,
    private readonly onError: (key: string, error: unknown) => void,
  ) {}

  add(key: string): void {
    if (!this.stopped) {
      this.waiting.add(key);
      this.scheduled ??= setImmediate(() => this.run());
    }
  }

  private run(): void {
    this.scheduled = undefined;
    const end = performance.now() + SLICE_MS;
    for (const key of this.waiting) {
      this.waiting.delete(key);
      try {
        this.reconcile(key);
      } catch (error) {
        this.onError(key, error);
      }
      if (performance.now() > end) {
        break;
      }
    }
    if (this.waiting.size > 0 && !this.stopped) {
      this.scheduled ??= setImmediate(() => this.run());
    }
  }

  stop(): void {
    this.stopped = true;
    this.waiting.clear();
    if (this.scheduled) {
      clearImmediate(this.scheduled);
    }
  }
}
