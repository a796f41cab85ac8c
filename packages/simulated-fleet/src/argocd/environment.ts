import {
  Application,
  ResourceHealth,
  SyncOperation,
} from '../kubernetes/argocdTypes';
import { RolloutFacts } from '../scenario/rolloutSchema';

/** A resource that an Application deploys. */
export interface DeployedResource {
  group: string;
  version: string;
  kind: string;
  namespace: string;
  name: string;
  images: readonly string[];
  /** How a Rollout replaces its pods, where the scenario says so. */
  rollout?: RolloutFacts;
}

/** A condition that keeps an Application from being compared or synced. */
export interface Obstacle {
  type: 'ComparisonError' | 'InvalidSpecError';
  message: string;
}

/** What an Argo CD meets in Git and on the cluster that it deploys to. */
export interface DeploymentEnvironment {
  /** Why the target state cannot be computed. */
  obstacle(application: Application): Obstacle | undefined;
  /** The target state. */
  resources(application: Application): DeployedResource[];
  /** The API server's answer where the resource may not be created. */
  refusal(
    application: Application,
    resource: DeployedResource,
  ): string | undefined;
  /** Health once the resource had its time to come up; undefined for kinds that have none. */
  health(
    application: Application,
    resource: DeployedResource,
  ): ResourceHealth | undefined;
}

/** A {@link DeploymentEnvironment} in which time passes. */
export interface LiveEnvironment extends DeploymentEnvironment {
  /** Why the revision that an operation asks for cannot be synced to. */
  unknownRevision(operation: SyncOperation): string | undefined;
  /** Health of a resource that is an object on the cluster with a life of its own. */
  liveHealth(resource: DeployedResource): ResourceHealth | undefined;
  /** Why the new pods of that Application's Rollouts never become ready. */
  rolloutFailure(applicationName: string): string | undefined;
}

/** Kinds that take a while until they are healthy. */
export const ROLLED_OUT_KINDS: readonly string[] = [
  'DaemonSet',
  'Deployment',
  'Job',
  'Pod',
  'ReplicaSet',
  'Rollout',
  'StatefulSet',
];

/** Kinds that Argo CD knows the health of. */
export const KINDS_WITH_HEALTH: readonly string[] = [
  ...ROLLED_OUT_KINDS,
  'Application',
  'HorizontalPodAutoscaler',
  'Ingress',
  'PersistentVolumeClaim',
  'Service',
];
