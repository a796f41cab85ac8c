import {
  provideDecision,
  type TestHub,
} from '../../../__testUtils__/hubFixture';
import {
  decisionStatus,
  managedCluster,
  NAMESPACE,
  placementDecision,
} from '../../../__testUtils__/objects';
import type { ControllerName } from '../../../config/controllerNames';
import type { FleetHub } from '../../../fleetHub';

/** A hub and the controllers that run on it. */
export interface Stage {
  readonly testHub: TestHub;
  readonly hub: FleetHub;
}

/** A user's action, and its effect if the backend has the rights that it needs. */
export interface Step {
  act(stage: Stage): Promise<unknown>;
  isDone(stage: Stage): Promise<boolean | undefined> | boolean | undefined;
}

/** Steps that need the rights of a role. */
export interface Scenario {
  /** Controllers that run; the others are off. */
  readonly controllers: readonly ControllerName[];
  readonly observe?: boolean;
  readonly includeAppProject?: boolean;
  /** Runs before the backend starts. */
  prepare?(testHub: TestHub): Promise<void>;
  readonly steps: readonly Step[];
  /** Whether the effect is known to be missing without a finding that names the permission. */
  failedSilently?(stage: Stage): boolean;
}

export const APP = { namespace: NAMESPACE, name: 'app' };
export const FINALIZER = 'resources-finalizer.argocd.argoproj.io';

export async function applicationExists({ testHub }: Stage) {
  return (await testHub.admin.get('applications', APP)) !== undefined;
}

export function hasFinding(hub: FleetHub, code: string) {
  return hub.runners.some(runner =>
    runner.status().findings?.some(finding => finding.code === code),
  );
}

/** Creates the objects that every scenario starts with. */
export async function prepareHub(testHub: TestHub) {
  await testHub.provideNamespaces(NAMESPACE, 'one');
  await testHub.admin.create('clusters', managedCluster('one'));
  await provideDecision(testHub.admin);
  await selectClusters(testHub, 'one');
}

/** Writes the decision of the Placement `all`. */
export async function selectClusters(testHub: TestHub, ...clusters: string[]) {
  await testHub.patchStatus(
    'decisions',
    placementDecision('all').metadata,
    decisionStatus(clusters),
  );
}
