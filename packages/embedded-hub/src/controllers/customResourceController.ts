import { KubernetesObject } from '../api/kubernetesObject';
import {
  CRD_COLLECTION,
  CRD_FINALIZER,
  CRD_RESOURCE,
  customResourcesOf,
  specOf,
} from '../builtin/customResources';
import { deleteObject } from '../operations/deleteObject';
import { HubContext } from '../operations/hubContext';
import { WatchEvent } from '../store/watchEvent';
import { removeFinalizer } from './controllerWrites';
import { WorkQueue } from './workQueue';

const MANAGER = 'kube-apiserver';

/** Objects deleted in one reconcile; each deletion queues the definition again. */
const BATCH_SIZE = 200;

/**
 * Serves the resources of CustomResourceDefinitions, from the moment one is stored until it is deleted and its last
 * object is gone.
 */
export function startCustomResourceController(
  context: HubContext,
  onError: (key: string, error: unknown) => void,
): { stop(): void } {
  const queue = new WorkQueue(
    name => finalizeDefinition(context, name),
    onError,
  );
  context.store.onChange((collection, event) => {
    if (collection === CRD_COLLECTION) {
      onCrdChange(context, event, queue);
    } else if (event.type === 'DELETED') {
      for (const name of terminatingDefinitions(context, collection)) {
        queue.add(name);
      }
    }
  });
  return queue;
}

function crdName(collection: string): string {
  const slash = collection.indexOf('/');
  return `${collection.slice(slash + 1)}.${collection.slice(0, slash)}`;
}

function terminatingDefinitions(
  context: HubContext,
  collection: string,
): string[] {
  const name = crdName(collection);
  const crd = context.store.collection(CRD_COLLECTION).get('', name);
  return crd?.metadata.deletionTimestamp ? [name] : [];
}

function onCrdChange(
  context: HubContext,
  event: WatchEvent,
  queue: WorkQueue,
): void {
  const crd = event.object;
  const { group, names } = specOf(crd);
  if (event.type === 'DELETED') {
    context.registry.unregister(group, names.plural);
    context.store.dropCollection(`${group}/${names.plural}`);
    return;
  }
  if (crd.metadata.deletionTimestamp) {
    queue.add(crd.metadata.name!);
  }
  if (event.previous?.metadata.generation !== crd.metadata.generation) {
    serve(context, crd);
  }
}

function serve(context: HubContext, crd: KubernetesObject): void {
  const { group, names } = specOf(crd);
  const served = customResourcesOf(crd);
  context.store.openCollection(`${group}/${names.plural}`);
  context.registry.unregister(group, names.plural);
  for (const resource of served) {
    context.registry.register(resource);
  }
}

/** Deletes the objects of a definition that is being deleted, then the definition. */
function finalizeDefinition(context: HubContext, name: string): void {
  const crd = context.store.collection(CRD_COLLECTION).get('', name);
  if (
    !crd?.metadata.deletionTimestamp ||
    !crd.metadata.finalizers?.includes(CRD_FINALIZER)
  ) {
    return;
  }
  const { group, names } = specOf(crd);
  const resource = context.registry.findResource(group, names.plural);
  const collection = context.store.collection(`${group}/${names.plural}`);
  if (resource) {
    const remaining = collection
      .list()
      .filter(({ metadata }) => !metadata.deletionTimestamp);
    for (const { metadata } of remaining.slice(0, BATCH_SIZE)) {
      deleteObject(
        context,
        resource,
        { namespace: metadata.namespace ?? '', name: metadata.name! },
        { dryRun: false },
      );
    }
  }
  if (collection.size === 0) {
    const current = context.store.collection(CRD_COLLECTION).get('', name);
    if (current) {
      removeFinalizer(context, CRD_RESOURCE, current, MANAGER, CRD_FINALIZER);
    }
  }
}
