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
  /** The cell's value; `undefined` leaves the cell empty. */
  cell(object: KubernetesObject, now: Date): unknown;
}

/** How the server serves one version of one resource. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** `apiVersion` in which objects are stored, whichever version they were written in. */
  readonly storageApiVersion: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** True when only the `/status` endpoint writes the status. */
  readonly hasStatus: boolean;
  /** True when the server maintains `metadata.generation`. */
  readonly hasGeneration: boolean;
  /** True for resources that a CustomResourceDefinition defines. */
  readonly custom: boolean;
  readonly columns: readonly PrinterColumn[];
  readonly schema: ObjectSchema;
  /** Fields that a field selector may name, in addition to metadata.name and metadata.namespace. */
  readonly selectableFields: readonly string[];
  /** Whether PUT without a resourceVersion overwrites the object. */
  readonly unconditionalUpdate: boolean;
  /** Whether PUT on a name that does not exist creates the object. */
  readonly createOnUpdate: boolean;
  /** Warning sent with every response in a deprecated version. */
  readonly deprecationWarning?: string;
  /** Why a name is not valid, undefined when it is. Default: DNS-1123 subdomain. */
  nameProblem?(name: string): string | undefined;
  /** Fills in the fields that the server decides, in place. */
  prepareForCreate?(object: KubernetesObject): void;
  prepareForUpdate?(object: KubernetesObject, old: KubernetesObject): void;
  validate?(object: KubernetesObject, old?: KubernetesObject): FieldError[];
  /** Admission: @throws ApiError as an admission webhook would answer. */
  admit?(object: KubernetesObject): void;
  /** Answers a create request without storing an object (SelfSubjectAccessReview). */
  answer?(object: KubernetesObject, access?: Access): KubernetesObject;
}

/** Key of the collection that holds a resource's objects, the same for all its versions. */
export function collectionKey(resource: {
  readonly group: string;
  readonly plural: string;
}): string {
  return `${resource.group}/${resource.plural}`;
}
