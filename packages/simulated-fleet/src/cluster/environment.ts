import {
  Application,
  ApplicationSource,
  ResourceHealth,
  SyncOperation,
} from '../kubernetes/argocdTypes';
import { RolloutSpec } from '../scenario/rolloutSchema';

/** A resource that an Application deploys. */
export interface DeployedResource {
  group: string;
  version: string;
  kind: string;
  namespace: string;
  name: string;
  images: readonly string[];
  /** Replicas and update strategy of a Rollout, if the scenario defines them. */
  rollout?: RolloutSpec;
}

/** A condition that prevents Argo CD from comparing or syncing an Application. */
export interface BlockingCondition {
  type: 'ComparisonError' | 'InvalidSpecError';
  message: string;
}

/** Git and the destination cluster as an Argo CD finds them. */
export interface DeploymentEnvironment {
  /** The condition because of which the target state cannot be computed, or undefined. */
  blockingCondition(application: Application): BlockingCondition | undefined;
  /** The target state; with an operation, that of the revision which it syncs to. */
  resources(
    application: Application,
    operation?: SyncOperation,
  ): DeployedResource[];
  /** The commit, or the version of a chart, of a source's revision or of another one. */
  commit(source: ApplicationSource, revision?: string): string;
  /** The API server's message if Argo CD must not create the resource, or undefined. */
  refusal(
    application: Application,
    resource: DeployedResource,
  ): string | undefined;
  /** The health of a resource after it had time to become healthy; undefined for kinds without health. */
  health(
    application: Application,
    resource: DeployedResource,
  ): ResourceHealth | undefined;
}

/** A {@link DeploymentEnvironment} of a running fleet. */
export interface LiveEnvironment extends DeploymentEnvironment {
  /** Whether the last comparison was with another commit than its source has now. */
  hasNewCommit(application: Application): boolean;
  /** The error message if a repository does not have the revision of an operation, or undefined. */
  unknownRevision(
    application: Application,
    operation: SyncOperation,
  ): string | undefined;
  /** The current health of a resource that exists as an object on the cluster; undefined for others. */
  liveHealth(resource: DeployedResource): ResourceHealth | undefined;
  /** The message if new pods of the Application's Rollouts never become ready, or undefined. */
  rolloutFailure(applicationName: string): string | undefined;
}

/** The kinds that take time to become healthy. */
export const ROLLED_OUT_KINDS: readonly string[] = [
  'DaemonSet',
  'Deployment',
  'Job',
  'Pod',
  'ReplicaSet',
  'Rollout',
  'StatefulSet',
];

/** The kinds whose health Argo CD assesses. */
export const KINDS_WITH_HEALTH: readonly string[] = [
  ...ROLLED_OUT_KINDS,
  'Application',
  'HorizontalPodAutoscaler',
  'Ingress',
  'PersistentVolumeClaim',
  'Service',
];
