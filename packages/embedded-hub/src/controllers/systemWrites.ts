import { copyJson, KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { HubContext, serverWrite } from '../operations/hubContext';
import { updateObject } from '../operations/updateObject';
import { ObjectLocation } from '../store/objectStore';

/** Definition of the resource that holds an object, in any version. */
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

/** Changes the metadata of an object as one of the server's own controllers does. */
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

/** Takes one finalizer off an object, which removes the object when it was the last. */
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
