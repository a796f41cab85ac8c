import type {
  ApplicationCondition,
  ApplicationResource,
  Finding,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';

/** A pull-model Application for which a source collects details. @public */
export interface ResourceSourceApplication {
  /** The Application on the hub. */
  readonly application: NamespacedName;
  /** The Application on its managed cluster: the same name, possibly another namespace. */
  readonly onCluster: NamespacedName;
  /** Name of the ManagedCluster. */
  readonly cluster: string;
  /** The ApplicationSet that owns it on the hub; undefined for a standalone Application. */
  readonly applicationSet?: NamespacedName;
}

/** The Applications of one hub for which a source collects details. @public */
export interface ResourceSourceRequest {
  /** Name of the hub, as configured. */
  readonly hub: string;
  /** Each Application of the hub that a ManifestWork delivers to a managed cluster. */
  readonly applications: readonly ResourceSourceApplication[];
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/**
 * What a source knows about one Application on its cluster. A field that is left out is unknown to the source, and the
 * feedback of the ManifestWork is kept; an empty list means that there are none.
 * @public
 */
export interface ApplicationDetails {
  /** The Application on the hub. */
  readonly application: NamespacedName;
  /**
   * When this was true on the cluster (RFC 3339), if the source knows: the details are shown if the ManifestWork's
   * feedback is not newer. Details without a time are shown if the feedback is missing or incomplete, and also if the
   * cluster's agent stopped reporting and the source's answer has changed since.
   */
  readonly observedAt?: string;
  /** Errors and warnings, the most important first. */
  readonly conditions?: readonly ApplicationCondition[];
  /** The Kubernetes objects that the Application consists of. */
  readonly resources?: readonly ApplicationResource[];
  /** Number of resources that are not listed. */
  readonly resourcesOmitted?: number;
  /** Container images of the Application. */
  readonly images?: readonly string[];
}

/** The answer of a source; it may be incomplete. @public */
export interface ResourceSourceAnswer {
  /** The Applications of which the source knows something. */
  readonly details: readonly ApplicationDetails[];
  /**
   * Names of clusters for which the answer is incomplete: their Applications that are not among the details keep the
   * details of an earlier answer, marked with their age. The details of every other Application that is not listed are
   * removed.
   */
  readonly incomplete?: readonly string[];
  /** Problems of the source, shown with the hub. */
  readonly findings?: readonly Finding[];
}

/**
 * Provides resource lists and errors of Applications on their managed clusters, in addition to the ManifestWork's
 * feedback: a search index, for example.
 * @public
 */
export interface ResourceSource {
  /** Identifies the source in the API, the database and findings; `search` is reserved for RHACM's Search. */
  readonly id: string;
  /**
   * Returns details of the Applications that the source knows. It is called on one replica at a time, every 10 s by
   * default, so it should request many Applications at once. If it throws, its earlier details are kept, marked with
   * their age, and the error is shown.
   */
  collect(request: ResourceSourceRequest): Promise<ResourceSourceAnswer>;
}
