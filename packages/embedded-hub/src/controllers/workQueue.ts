/** How long one turn of work may keep the event loop, in milliseconds. */
const SLICE = 5;

/** Keys waiting for one handler; a key that is waiting is not added twice. */
export class WorkQueue {
  private readonly waiting = new Set<string>();
  private scheduled: NodeJS.Immediate | undefined;
  private stopped = false;

  constructor(
    private readonly handle: (key: string) => void,
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
    const end = performance.now() + SLICE;
    for (const key of this.waiting) {
      this.waiting.delete(key);
      try {
        this.handle(key);
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
