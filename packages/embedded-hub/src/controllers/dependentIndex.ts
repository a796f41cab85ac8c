import { KubernetesObject } from '../api/kubernetesObject';
import { WatchEvent } from '../store/watchEvent';

/** UIDs of the dependents of each owner. */
export class DependentIndex {
  private readonly dependents = new Map<string, Set<string>>();

  /** Updates the index with one change of one object. */
  update(event: WatchEvent): void {
    const uid = event.object.metadata.uid!;
    const before = ownerUids(event.previous);
    const after = event.type === 'DELETED' ? [] : ownerUids(event.object);
    for (const owner of before) {
      if (!after.includes(owner)) {
        this.remove(owner, uid);
      }
    }
    for (const owner of after) {
      const known = this.dependents.get(owner) ?? new Set();
      this.dependents.set(owner, known.add(uid));
    }
  }

  private remove(owner: string, dependent: string): void {
    const known = this.dependents.get(owner);
    known?.delete(dependent);
    if (known?.size === 0) {
      this.dependents.delete(owner);
    }
  }

  of(owner: string): readonly string[] {
    return [...(this.dependents.get(owner) ?? [])];
  }
}

export function ownerUids(object: KubernetesObject | undefined): string[] {
  return (object?.metadata.ownerReferences ?? []).map(owner => owner.uid);
}
