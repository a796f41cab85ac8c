import { OwnerReference } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import {
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
} from '../api/objectMetaValidation';
import { deleteObject, PropagationPolicy } from '../operations/deleteObject';
import { HubContext } from '../operations/hubContext';
import { DependentIndex, ownerUids } from './dependentIndex';
import {
  changeMetadata,
  objectAt,
  removeFinalizer,
  resourceAt,
} from './controllerWrites';
import { WorkQueue } from './workQueue';

const MANAGER = 'kube-controller-manager';

function isDeletingDependents(object: KubernetesObject): boolean {
  return (
    object.metadata.deletionTimestamp !== undefined &&
    Boolean(object.metadata.finalizers?.includes(FOREGROUND_FINALIZER))
  );
}

function isOrphaningDependents(object: KubernetesObject): boolean {
  return (
    object.metadata.deletionTimestamp !== undefined &&
    Boolean(object.metadata.finalizers?.includes(ORPHAN_FINALIZER))
  );
}

/**
 * Deletes objects whose last owner is gone, and does foreground deletion and orphaning, by the rules of Kubernetes'
 * garbage collector.
 */
class GarbageCollector {
  private readonly index = new DependentIndex();
  private readonly queue: WorkQueue;

  constructor(
    private readonly context: HubContext,
    onError: (key: string, error: unknown) => void,
  ) {
    this.queue = new WorkQueue(uid => this.reconcile(uid), onError);
    context.store.onChange((_collection, event) => {
      this.index.update(event);
      const { object } = event;
      const uid = object.metadata.uid!;
      if (event.type === 'DELETED') {
        this.index.of(uid).forEach(dependent => this.queue.add(dependent));
        // An owner in foreground deletion may be waiting for this dependent.
        ownerUids(event.previous).forEach(owner => this.queue.add(owner));
      } else if (
        object.metadata.ownerReferences?.length ||
        object.metadata.deletionTimestamp
      ) {
        this.queue.add(uid);
      }
    });
  }

  stop(): void {
    this.queue.stop();
  }

  private object(uid: string): KubernetesObject | undefined {
    return objectAt(this.context, this.context.store.locate(uid));
  }

  private reconcile(uid: string): void {
    const location = this.context.store.locate(uid);
    const object = objectAt(this.context, location);
    const resource = location && resourceAt(this.context, location.collection);
    if (!object || !resource) {
      return;
    }
    if (isOrphaningDependents(object)) {
      this.orphanDependents(object);
      removeFinalizer(
        this.context,
        resource,
        object,
        MANAGER,
        ORPHAN_FINALIZER,
      );
    } else if (isDeletingDependents(object)) {
      this.deleteDependents(object);
    } else if (!object.metadata.deletionTimestamp) {
      this.deleteWithoutOwners(object);
    }
  }

  private orphanDependents(owner: KubernetesObject): void {
    const { uid } = owner.metadata;
    for (const dependent of this.index.of(uid!)) {
      this.dropOwners(dependent, reference => reference.uid === uid);
    }
  }

  private deleteDependents(owner: KubernetesObject): void {
    const { uid } = owner.metadata;
    const blocking = this.index
      .of(uid!)
      .map(dependent => this.object(dependent))
      .filter(dependent =>
        dependent?.metadata.ownerReferences?.some(
          reference => reference.uid === uid && reference.blockOwnerDeletion,
        ),
      );
    if (blocking.length === 0) {
      const location = this.context.store.locate(uid!)!;
      removeFinalizer(
        this.context,
        resourceAt(this.context, location.collection)!,
        owner,
        MANAGER,
        FOREGROUND_FINALIZER,
      );
      return;
    }
    for (const dependent of this.index.of(uid!)) {
      this.queue.add(dependent);
    }
  }

  /** The owner of a reference, if it exists with that UID, kind and name where the dependent may refer to it. */
  private liveOwner(
    dependent: KubernetesObject,
    reference: OwnerReference,
  ): KubernetesObject | undefined {
    const owner = this.object(reference.uid);
    const { namespace } = owner?.metadata ?? {};
    const reachable = !namespace || namespace === dependent.metadata.namespace;
    return owner &&
      reachable &&
      owner.kind === reference.kind &&
      owner.metadata.name === reference.name
      ? owner
      : undefined;
  }

  private deleteWithoutOwners(object: KubernetesObject): void {
    const references = object.metadata.ownerReferences ?? [];
    if (references.length === 0) {
      return;
    }
    const solid: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    for (const reference of references) {
      const owner = this.liveOwner(object, reference);
      if (owner && isDeletingDependents(owner)) {
        waiting.push(reference);
      } else if (owner) {
        solid.push(reference);
      }
    }
    if (solid.length > 0) {
      if (solid.length < references.length) {
        this.dropOwners(
          object.metadata.uid!,
          reference => !solid.includes(reference),
        );
      }
      return;
    }
    const hasDependents = this.index.of(object.metadata.uid!).length > 0;
    this.delete(object, waiting.length > 0 && hasDependents);
  }

  private delete(object: KubernetesObject, foreground: boolean): void {
    const { finalizers = [], uid, namespace = '', name } = object.metadata;
    let propagationPolicy: PropagationPolicy = 'Background';
    if (foreground || finalizers.includes(FOREGROUND_FINALIZER)) {
      propagationPolicy = 'Foreground';
    } else if (finalizers.includes(ORPHAN_FINALIZER)) {
      propagationPolicy = 'Orphan';
    }
    const location = this.context.store.locate(uid!)!;
    deleteObject(
      this.context,
      resourceAt(this.context, location.collection)!,
      { namespace, name: name! },
      { dryRun: false, propagationPolicy, preconditions: { uid } },
    );
  }

  private dropOwners(
    dependent: string,
    drops: (reference: OwnerReference) => boolean,
  ): void {
    const location = this.context.store.locate(dependent);
    const object = objectAt(this.context, location);
    const resource = location && resourceAt(this.context, location.collection);
    if (!object || !resource) {
      return;
    }
    const kept = object.metadata.ownerReferences?.filter(
      reference => !drops(reference),
    );
    changeMetadata(this.context, resource, object, MANAGER, metadata => {
      metadata.ownerReferences = kept;
      if (kept?.length === 0) {
        delete metadata.ownerReferences;
      }
    });
  }
}

export function startGarbageCollector(
  context: HubContext,
  onError: (key: string, error: unknown) => void,
): { stop(): void } {
  return new GarbageCollector(context, onError);
}
