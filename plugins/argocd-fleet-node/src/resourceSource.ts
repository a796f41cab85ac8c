import type {
  ApplicationCondition,
  ApplicationResource,
  Finding,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';

/** A pull-model Application whose details a source is asked for. @public */
export interface ResourceSourceApplication {
  /** The Application on the hub. */
  readonly application: NamespacedName;
  /** The Application on its managed cluster: the same name, perhaps another namespace. */
  readonly onCluster: NamespacedName;
  /** Name of the ManagedCluster. */
  readonly cluster: string;
  /** The ApplicationSet that owns it on the hub; undefined for one made by hand. */
  readonly applicationSet?: NamespacedName;
}

/** What a source is asked. @public */
export interface ResourceSourceRequest {
  /** Name of the hub, as configured. */
  readonly hub: string;
  readonly applications: readonly ResourceSourceApplication[];
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/**
 * What a source knows about one Application on its cluster. A field that is left out is not known to the source, and leaves what the
 * ManifestWork brought home; an empty list says that there are none.
 * @public
 */
export interface ApplicationDetails {
  /** The Application on the hub. */
  readonly application: NamespacedName;
  /**
   * RFC 3339. When this was true on the cluster, from a source that knows: it is shown where the ManifestWork brought home nothing later.
   * What a source says without a time is shown where the ManifestWork brought home nothing, or not all; and where the cluster's agent has
   * gone silent and the source's answer has changed since.
   */
  readonly observedAt?: string;
  /** Errors and warnings, most telling first. */
  readonly conditions?: readonly ApplicationCondition[];
  readonly resources?: readonly ApplicationResource[];
  /** Resources beyond those listed. */
  readonly resourcesOmitted?: number;
  readonly images?: readonly string[];
}

/** What a source answers; a part of it may be missing. @public */
export interface ResourceSourceAnswer {
  readonly details: readonly ApplicationDetails[];
  /**
   * Names of clusters about which not everything could be learned this time: of their Applications, those that are not among the details
   * keep what was said of them before, marked with its age. Of every other Application that is not among the details, nothing is known any more.
   */
  readonly incomplete?: readonly string[];
  /** What is not right, shown with the hub. */
  readonly findings?: readonly Finding[];
}

/**
 * Another way to learn what an Application consists of on its managed cluster, and what is wrong there, beside the ManifestWork's own
 * feedback: a search index, for example.
 * @public
 */
export interface ResourceSource {
  /** Names the source in the API, in the database and in findings; `search` is taken by the one for RHACM's Search. */
  readonly id: string;
  /**
   * Answers for those Applications that it knows. It is asked on one replica at a time, every 10 s where nothing else is configured, so
   * it should ask for many at once. Where it throws, all that it said before is kept, marked with its age, and the error is shown.
   */
  collect(request: ResourceSourceRequest): Promise<ResourceSourceAnswer>;
}
