import { randomUUID } from 'node:crypto';
import { apiVersionOf, kubeTime } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import {
  collectionKey,
  ResourceDefinition,
} from '../resources/resourceDefinition';
import { recordUpdate } from '../apply/managedFields';
import { HubContext } from '../operations/hubContext';
import { SnapshotObject } from './snapshotObject';

/** Field manager of objects that come without managed fields. */
const MANAGER = 'snapshot';

/** Restores the objects of a snapshot into a store. */
export class ObjectRestorer {
  private readonly namespaces = new Set<string>();
  private resources: ReadonlyMap<string, ResourceDefinition> = new Map();
  private generation = -1;

  constructor(
    private readonly context: HubContext,
    /** Whether a hub saved the objects, so that they are complete. */
    private readonly saved: boolean,
  ) {}

  /** Stores an object, which the store then owns; `origin` names it in errors. */
  add(source: SnapshotObject, origin: string): void {
    const object = source as KubernetesObject;
    const resource = this.resourceOf(object, origin);
    const { metadata } = object;
    if (
      !metadata?.name ||
      resource.namespaced !== Boolean(metadata.namespace)
    ) {
      throw new Error(
        `${origin}: a ${object.kind} must have a metadata.name and ${
          resource.namespaced ? 'a' : 'no'
        } metadata.namespace`,
      );
    }
    if (resource.namespaced) {
      this.namespaces.add(metadata.namespace!);
    }
    metadata.uid ??= randomUUID();
    if (!this.saved) {
      delete metadata.resourceVersion;
      this.complete(object, resource);
    }
    const existing = this.context.store.locate(metadata.uid);
    if (existing) {
      throw new Error(
        `${origin}: the uid ${metadata.uid} already belongs to ${existing.namespace}/${existing.name} in ${existing.collection}`,
      );
    }
    object.apiVersion = resource.storageApiVersion;
    this.context.store.restore(collectionKey(resource), object);
  }

  /** Checks that all namespaces exist, and sets the revision at which a hub was saved. */
  finish(source: string, revision?: number): void {
    const { store } = this.context;
    const known = store.collection('/namespaces');
    const missing = [...this.namespaces].find(name => !known.get('', name));
    if (missing !== undefined) {
      throw new Error(
        `${source} has objects in the namespace ${missing} but not the Namespace itself: add it`,
      );
    }
    store.finishRestore(revision);
  }

  private resourceOf(
    { apiVersion, kind }: KubernetesObject,
    origin: string,
  ): ResourceDefinition {
    const { registry } = this.context;
    if (this.generation !== registry.generation) {
      this.generation = registry.generation;
      this.resources = new Map(
        registry
          .all()
          .map(resource => [
            `${apiVersionOf(resource)} ${resource.kind}`,
            resource,
          ]),
      );
    }
    const resource = this.resources.get(`${apiVersion} ${kind}`);
    if (!resource || resource.answer) {
      throw new Error(
        `${origin}: the hub has no kind ${kind} in ${apiVersion}: put its CustomResourceDefinition before it`,
      );
    }
    return resource;
  }

  /** Fills in the fields that the server would set. */
  private complete(object: KubernetesObject, resource: ResourceDefinition) {
    const { metadata, status } = object;
    const time = kubeTime(this.context.now());
    metadata.creationTimestamp ??= time;
    if (resource.hasGeneration) {
      metadata.generation ??= 1;
    }
    resource.schema.applyDefaults(object);
    resource.prepareForCreate?.(object);
    if (metadata.managedFields) {
      return;
    }
    const writer = {
      manager: MANAGER,
      operation: 'Update',
      apiVersion: apiVersionOf(resource),
      time,
    } as const;
    const { structure } = resource.schema;
    if (!resource.hasStatus || status === undefined) {
      recordUpdate(object, undefined, structure, writer);
      return;
    }
    const spec: KubernetesObject = { ...object };
    delete spec.status;
    recordUpdate(spec, undefined, structure, writer);
    recordUpdate(object, spec, structure, { ...writer, subresource: 'status' });
  }
}
