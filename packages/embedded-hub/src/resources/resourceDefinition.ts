import { ObjectSchema } from '../schema/objectSchema';
import { Access } from '../api/access';
import { FieldError } from '../api/fieldErrors';
import { KubernetesObject } from '../api/kubernetesObject';

/** One column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  /** The cell's value; `undefined` prints as nothing. */
  cell(object: KubernetesObject, now: Date): unknown;
}

/** Everything the server must know to serve one version of one resource. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** `apiVersion` under which objects are stored, whatever version they were written in. */
  readonly storageApiVersion: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** True when status is written through `/status` only. */
  readonly hasStatus: boolean;
  /** True when the server counts `metadata.generation`. */
  readonly hasGeneration: boolean;
  /** True for resources that a CustomResourceDefinition defines. */
  readonly custom: boolean;
  readonly columns: readonly PrinterColumn[];
  readonly schema: ObjectSchema;
  /** Fields that a field selector may name, beside metadata.name and metadata.namespace. */
  readonly selectableFields: readonly string[];
  /** Whether PUT without a resourceVersion overwrites what is there. */
  readonly unconditionalUpdate: boolean;
  /** Whether PUT on a name that does not exist creates it. */
  readonly createOnUpdate: boolean;
  /** Warning sent with every answer of a deprecated version. */
  readonly deprecationWarning?: string;
  /** Why a name is refused, or nothing. Default: DNS-1123 subdomain. */
  nameProblem?(name: string): string | undefined;
  /** Fills in what the server itself decides; the object may be changed. */
  prepareForCreate?(object: KubernetesObject): void;
  prepareForUpdate?(object: KubernetesObject, old: KubernetesObject): void;
  validate?(object: KubernetesObject, old?: KubernetesObject): FieldError[];
  /** A refusal that is no field error, as an admission webhook would give it. Throws. */
  admit?(object: KubernetesObject): void;
  /** Answers a create without storing anything (SelfSubjectAccessReview). */
  answer?(object: KubernetesObject, access?: Access): KubernetesObject;
}

/** Key of the collection that holds a resource's objects, whatever the version. */
export function collectionKey(resource: {
  readonly group: string;
  readonly plural: string;
}): string {
  return `${resource.group}/${resource.plural}`;
}
