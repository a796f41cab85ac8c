import { workStatus } from '../agent/workStatus';
import { createClusterStore } from '../cluster/clusterStore';
import {
  Application,
  ApplicationSet,
  ApplicationStatus,
} from '../kubernetes/argocdTypes';
import { kubeTime } from '../kubernetes/objects';
import { ManifestWork, ManifestWorkStatus } from '../kubernetes/workTypes';
import { statusAfterSync, Trouble } from './applicationStatus';
import { applicationOf } from './fleetApplicationSets';
import { CompletePlan } from './fleetPlan';

/** The statuses of a hub Application and of its work. */
export interface StatusPair {
  readonly application: ApplicationStatus;
  readonly work?: ManifestWorkStatus;
}

// The statuses of a set's Applications with the same trouble differ only in the cluster and the
// times: they are computed once for these sample values, which are then replaced.
const CLUSTER = 'sample-cluster';
const STARTED = new Date('1999-01-01T00:00:00Z');
const SETTLED = new Date('1999-01-01T00:00:40Z');

/**
 * Returns a function that computes the statuses which Argo CD, the work agent
 * and the hub's controllers would have written. Evaluating the agent's CEL rules
 * takes milliseconds: it is done once for each set and trouble.
 */
export function createStatusPairs(plan: CompletePlan) {
  const samples = new Map<string, string>();

  function sample(set: ApplicationSet, trouble: Trouble | undefined): string {
    const application = applicationOf(set, CLUSTER, 'sample-uid');
    const work = plan.buildWork?.(application);
    const spoke = statusAfterSync(
      { ...application, ...payloadApplication(work) },
      set.metadata.name,
      trouble,
      { started: STARTED, settled: SETTLED },
    );
    return JSON.stringify({
      application: hubStatus(spoke),
      work: work && agentStatus(work, spoke),
    } satisfies StatusPair);
  }

  return function statusPair(
    set: ApplicationSet,
    cluster: string,
    trouble: Trouble | undefined,
    times: { readonly started: Date; readonly settled: Date },
  ): StatusPair {
    const key = `${set.metadata.name} ${trouble}`;
    const text = samples.get(key) ?? sample(set, trouble);
    samples.set(key, text);
    return JSON.parse(
      text
        .replaceAll(CLUSTER, cluster)
        .replaceAll(kubeTime(STARTED), kubeTime(times.started))
        .replaceAll(kubeTime(SETTLED), kubeTime(times.settled)),
    );
  };
}

function payloadApplication(
  work: ManifestWork | undefined,
): Application | undefined {
  return work?.spec?.workload?.manifests?.find(
    ({ kind }) => kind === 'Application',
  );
}

/** The status that the work agent reports for an Application with this status. */
function agentStatus(
  work: ManifestWork,
  status: ApplicationStatus,
): ManifestWorkStatus {
  const store = createClusterStore(CLUSTER, []);
  for (const manifest of work.spec?.workload?.manifests ?? []) {
    store.put(
      manifest.kind === 'Application' ? { ...manifest, status } : manifest,
    );
  }
  const metadata = { ...work.metadata, generation: 1 };
  return workStatus({ ...work, metadata }, store, new Map(), SETTLED);
}

/** The status of the hub Application in the pull model. */
function hubStatus({
  health,
  sync,
  operationState,
}: ApplicationStatus): ApplicationStatus {
  return {
    ...(health && { health: { status: health.status } }),
    ...(sync && { sync: { status: sync.status, revision: sync.revision } }),
    ...(operationState && {
      operationState: {
        operation: {},
        phase: operationState.phase,
        startedAt: operationState.startedAt,
      },
    }),
    conditions: [
      {
        type: 'AdditionalStatusReport',
        message:
          'Errors and resources are in the work of this Application and in the report of its ApplicationSet.',
        lastTransitionTime: kubeTime(SETTLED),
      },
    ],
  };
}
