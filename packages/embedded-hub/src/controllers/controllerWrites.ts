import { copyJson, KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { HubContext, serverWrite } from '../operations/hubContext';
import { updateObject } from '../operations/updateObject';
import { ObjectLocation } from '../store/objectStore';

/** Definition of the resource of a collection, in any version. */
export function resourceAt(
  context: HubContext,
  collection: string,
): ResourceDefinition | undefined {
  const slash = collection.indexOf('/');
  return context.registry.findResource(
    collection.slice(0, slash),
    collection.slice(slash + 1),
  );
}

export function objectAt(
  context: HubContext,
  location: ObjectLocation | undefined,
): KubernetesObject | undefined {
  return (
    location &&
    context.store
      .collection(location.collection)
      .get(location.namespace, location.name)
  );
}

/** Updates the metadata of an object on behalf of one of the hub's own controllers. */
export function changeMetadata(
  context: HubContext,
  resource: ResourceDefinition,
  old: KubernetesObject,
  manager: string,
  change: (metadata: KubernetesObject['metadata']) => void,
): void {
  const candidate = copyJson(old);
  change(candidate.metadata);
  candidate.apiVersion = old.apiVersion;
  updateObject(context, {
    resource,
    old,
    candidate,
    options: serverWrite(manager),
  });
}

/** Removes one finalizer of an object; an object that is being deleted is removed with its last one. */
export function removeFinalizer(
  context: HubContext,
  resource: ResourceDefinition,
  old: KubernetesObject,
  manager: string,
  finalizer: string,
): void {
  changeMetadata(context, resource, old, manager, metadata => {
    metadata.finalizers = metadata.finalizers?.filter(
      name => name !== finalizer,
    );
    if (metadata.finalizers?.length === 0) {
      delete metadata.finalizers;
    }
  });
}
