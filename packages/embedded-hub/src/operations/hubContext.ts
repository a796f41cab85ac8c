import { apiVersionOf } from 'apimachinery';
import { Access } from '../api/access';
import { KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { ResourceRegistry } from '../resources/resourceRegistry';
import { Collection } from '../store/collection';
import { ObjectStore } from '../store/objectStore';
import { collectionKey } from '../resources/resourceDefinition';

/** What every operation works on. */
export interface HubContext {
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry;
  /** Who asks; undefined where nobody is asked who they are, and for what the server does by itself. */
  readonly access?: Access;
  now(): Date;
}

/** What a write request says beside its object. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Collects what goes into the answer's Warning headers. */
  readonly warnings: string[];
}

/** Options of a write that the server makes on its own behalf. */
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

/** Kubernetes' timestamps have whole seconds. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** The object in the version that was asked for. */
export function inVersionOf(
  resource: ResourceDefinition,
  object: KubernetesObject,
): KubernetesObject {
  const apiVersion = apiVersionOf(resource);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
