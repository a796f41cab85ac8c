import { KubernetesObject } from './kubernetesObject';
import { NamedResource } from './statusErrors';

/** What a request wants to do to objects, in RBAC's terms (`authorization.k8s.io` `ResourceAttributes`). */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for cluster-scoped objects, and for all namespaces. */
  readonly namespace: string;
  /** Empty where no single object is meant. */
  readonly name: string;
}

/** What a request wants that is not about objects: discovery, version, health. */
export interface NonResourceAttributes {
  readonly verb: string;
  readonly path: string;
}

/** The user that sent a request, and what RBAC allows that user. */
export interface Access {
  readonly user: string;
  allows(attributes: ResourceAttributes | NonResourceAttributes): boolean;
  /** @throws ApiError 403 in Kubernetes' words for a request that is not allowed. */
  assertAllowed(attributes: ResourceAttributes | NonResourceAttributes): void;
  /** @throws ApiError 403 when a role or binding would grant rights that the user does not have. */
  assertMayGrant(
    resource: NamedResource,
    object: KubernetesObject,
    old?: KubernetesObject,
  ): void;
}
