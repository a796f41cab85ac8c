import { apiVersionOf } from 'apimachinery';
import { Access } from '../api/access';
import { KubernetesObject } from '../api/kubernetesObject';
import {
  collectionKey,
  ResourceDefinition,
} from '../resources/resourceDefinition';
import { ResourceRegistry } from '../resources/resourceRegistry';
import { Collection } from '../store/collection';
import { ObjectStore } from '../store/objectStore';

/** The state that all operations share. */
export interface HubContext {
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry;
  /** The user of the request; undefined without authorization, and for the hub's own writes. */
  readonly access?: Access;
  now(): Date;
}

/** The options of a write request. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Collects the Warning headers of the response. */
  readonly warnings: string[];
}

/** Options of a write by the hub itself. */
export function serverWrite(fieldManager: string): WriteOptions {
  return {
    dryRun: false,
    fieldManager,
    fieldValidation: 'Ignore',
    warnings: [],
  };
}

export function collectionOf(
  context: HubContext,
  resource: ResourceDefinition,
): Collection {
  return context.store.collection(collectionKey(resource));
}

/** The object in the requested version. */
export function inVersionOf(
  resource: ResourceDefinition,
  object: KubernetesObject,
): KubernetesObject {
  const apiVersion = apiVersionOf(resource);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
