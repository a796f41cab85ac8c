import type {
  ApplicationCondition,
  ApplicationResource,
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
  /** RFC 3339. When this was true on the cluster; where the ManifestWork brought home something later, that is shown. */
  readonly observedAt: string;
  /** Errors and warnings, most telling first. */
  readonly conditions?: readonly ApplicationCondition[];
  readonly resources?: readonly ApplicationResource[];
  /** Resources beyond those listed. */
  readonly resourcesOmitted?: number;
  readonly images?: readonly string[];
}

/**
 * Another way to learn what an Application consists of on its managed cluster, and what is wrong there, beside the ManifestWork's own
 * feedback: a search index, for example.
 * @public
 */
export interface ResourceSource {
  /** Names the source in findings and logs. */
  readonly id: string;
  /**
   * Answers for those Applications that it knows. It is asked every 10 s, on every replica, so it should ask for many at once.
   * Where it throws, its last good answer is kept and the error is shown.
   */
  collect(
    request: ResourceSourceRequest,
  ): Promise<readonly ApplicationDetails[]>;
}
