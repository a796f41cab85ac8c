/** A JSON object of unknown shape. */
export interface Fields {
  readonly [name: string]: unknown;
}

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly Fields[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
  /** In lists only, as is `remainingItemCount`. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly fieldsType: string;
  readonly fieldsV1: Fields;
  readonly time: string;
}

/** Any response body of the Kubernetes API. The cases check which of these fields are present. */
export interface ResponseBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly data: { readonly [key: string]: string };
  readonly spec: Fields;
  readonly status: unknown;
  readonly items: readonly ResponseBody[];
  /** In a `Status`, as are the three fields below. */
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details: Fields;
  /** In a `Table`, as is `rows`. */
  readonly columnDefinitions: readonly Fields[];
  readonly rows: readonly {
    readonly cells: readonly unknown[];
    readonly object: ResponseBody;
  }[];
  /** In discovery documents, as is `resources`. */
  readonly groups: readonly Fields[];
  readonly resources: readonly Fields[];
  readonly [field: string]: unknown;
}
