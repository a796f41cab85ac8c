import { KubernetesObject } from '../api/kubernetesObject';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * One change of one object. Its lines for the wire are rendered once for all watchers and then dropped: the history
 * keeps objects, not text.
 */
export class WatchEvent {
  private readonly lines = new Map<string, string>();

  constructor(
    readonly type: ChangeType,
    readonly revision: number,
    /** The object after the change; for DELETED its last state at the revision of the deletion. */
    readonly object: KubernetesObject,
    readonly previous: KubernetesObject | undefined,
  ) {}

  /** The text for a key; `render` makes it on the first call. */
  line(key: string, render: () => string): string {
    let line = this.lines.get(key);
    if (line === undefined) {
      line = render();
      this.lines.set(key, line);
    }
    return line;
  }

  releaseLines(): void {
    this.lines.clear();
  }
}
