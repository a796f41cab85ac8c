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
  /** Of lists. */
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

/** Any body of the Kubernetes API: which of these are there is what a case is about. */
export interface HubBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly data: { readonly [key: string]: string };
  readonly spec: Fields;
  readonly status: unknown;
  readonly items: readonly HubBody[];
  /** Of a `Status`. */
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details: Fields;
  /** Of a `Table`. */
  readonly columnDefinitions: readonly Fields[];
  readonly rows: readonly {
    readonly cells: readonly unknown[];
    readonly object: HubBody;
  }[];
  /** Of discovery. */
  readonly groups: readonly Fields[];
  readonly resources: readonly Fields[];
  readonly [field: string]: unknown;
}
