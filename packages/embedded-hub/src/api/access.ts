import { KubernetesObject } from './kubernetesObject';
import { ResourceDefinition } from './resourceDefinition';

/** What a request wants to do to objects, in the words of RBAC. */
export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for what has no namespace, and for all namespaces. */
  readonly namespace: string;
  /** Empty where no single object is meant. */
  readonly name: string;
}

/** What a request wants that is not about objects: discovery, version, health. */
export interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

/** Who asks, and what they may. */
export interface Access {
  readonly user: string;
  allows(wanted: ResourceAccess | PathAccess): boolean;
  /** Refuses, with Kubernetes' words, what is not allowed. Throws. */
  assertAllowed(wanted: ResourceAccess | PathAccess): void;
  /** Refuses to give others, by a role or a binding, what the user does not have. Throws. */
  assertMayGrant(
    resource: ResourceDefinition,
    object: KubernetesObject,
    old?: KubernetesObject,
  ): void;
}
