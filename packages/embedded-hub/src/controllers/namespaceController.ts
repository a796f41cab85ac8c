import { collectionKey } from '../resources/resourceDefinition';
import { copyJson, KubernetesObject } from '../api/kubernetesObject';
import { deleteObject } from '../operations/deleteObject';
import {
  collectionOf,
  HubContext,
  serverWrite,
} from '../operations/hubContext';
import { updateObject } from '../operations/updateObject';
import { WorkQueue } from './workQueue';

const NAMESPACES = '/namespaces';
const FINALIZER = 'kubernetes';

/** Objects deleted in one reconcile; each deletion queues the namespace again. */
const BATCH_SIZE = 200;

/** Deletes the objects in namespaces that are being deleted, then removes the finalizer of the namespace. */
export function startNamespaceController(
  context: HubContext,
  onError: (key: string, error: unknown) => void,
): { stop(): void } {
  const terminating = new Set<string>();
  const queue = new WorkQueue(name => deleteContent(context, name), onError);
  context.store.onChange((collection, event) => {
    const { name, namespace, deletionTimestamp } = event.object.metadata;
    if (collection === NAMESPACES) {
      if (event.type === 'DELETED') {
        terminating.delete(name!);
      } else if (deletionTimestamp) {
        terminating.add(name!);
        queue.add(name!);
      }
    } else if (
      event.type === 'DELETED' &&
      namespace &&
      terminating.has(namespace)
    ) {
      queue.add(namespace);
    }
  });
  return queue;
}

function deleteContent(context: HubContext, name: string): void {
  const namespace = context.store.collection(NAMESPACES).get('', name);
  if (!namespace?.metadata.deletionTimestamp) {
    return;
  }
  const seen = new Set<string>();
  let remaining = 0;
  let deleted = 0;
  for (const resource of context.registry.all()) {
    const key = collectionKey(resource);
    if (!resource.namespaced || seen.has(key)) {
      continue;
    }
    seen.add(key);
    const collection = collectionOf(context, resource);
    for (const object of collection.list(name)) {
      if (!object.metadata.deletionTimestamp) {
        deleted += 1;
        if (deleted > BATCH_SIZE) {
          return;
        }
        deleteObject(
          context,
          resource,
          { namespace: name, name: object.metadata.name! },
          { dryRun: false, propagationPolicy: 'Background' },
        );
      }
    }
    remaining += collection.list(name).length;
  }
  if (remaining === 0) {
    finalize(context, name);
  }
}

function finalize(context: HubContext, name: string): void {
  const resource = context.registry.find('', 'v1', 'namespaces')!;
  const old = context.store.collection(NAMESPACES).get('', name);
  const spec = old?.spec as { finalizers?: string[] } | undefined;
  if (!old || !spec?.finalizers?.includes(FINALIZER)) {
    return;
  }
  const candidate: KubernetesObject = copyJson(old);
  const others = spec.finalizers.filter(finalizer => finalizer !== FINALIZER);
  candidate.spec = others.length > 0 ? { finalizers: others } : {};
  updateObject(context, {
    resource,
    old,
    candidate,
    subresource: 'finalize',
    options: serverWrite('kube-controller-manager'),
  });
}
