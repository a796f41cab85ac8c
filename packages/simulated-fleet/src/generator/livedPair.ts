import { workStatus } from '../agent/workStatus';
import { createClusterStore } from '../cluster/clusterStore';
import {
  Application,
  ApplicationSet,
  ApplicationStatus,
} from '../kubernetes/argocdTypes';
import { kubeTime } from '../kubernetes/objects';
import { ManifestWork, ManifestWorkStatus } from '../kubernetes/workTypes';
import { livedStatus, Trouble } from './applicationLife';
import { applicationOf } from './fleetApplicationSets';
import { CompletePlan } from './fleetPlan';

/** The statuses of a hub Application and of its work. */
export interface LivedPair {
  readonly application: ApplicationStatus;
  readonly work?: ManifestWorkStatus;
}

// What differs between the Applications of a set that fare alike: one is worked
// out for this cluster and these times, the others differ by them alone.
const CLUSTER = 'cluster-of-the-pattern';
const STARTED = new Date('1999-01-01T00:00:00Z');
const SETTLED = new Date('1999-01-01T00:00:40Z');

/**
 * Works out what Argo CD, the work agent and the hub's controllers would have
 * written. Evaluating an agent's CEL rules takes milliseconds, so that it is
 * done once for each set and trouble.
 */
export function createLivedPairs(plan: CompletePlan) {
  const patterns = new Map<string, string>();

  function pattern(set: ApplicationSet, trouble: Trouble | undefined): string {
    const application = applicationOf(set, CLUSTER, 'uid-of-the-pattern');
    const work = plan.buildWork?.(application);
    const spoke = livedStatus(
      { ...application, ...carriedApplication(work) },
      set.metadata.name,
      trouble,
      { started: STARTED, settled: SETTLED },
    );
    return JSON.stringify({
      application: hubStatus(spoke),
      work: work && reportedStatus(work, spoke),
    } satisfies LivedPair);
  }

  return function livedPair(
    set: ApplicationSet,
    cluster: string,
    trouble: Trouble | undefined,
    times: { readonly started: Date; readonly settled: Date },
  ): LivedPair {
    const key = `${set.metadata.name} ${trouble}`;
    const text = patterns.get(key) ?? pattern(set, trouble);
    patterns.set(key, text);
    return JSON.parse(
      text
        .replaceAll(CLUSTER, cluster)
        .replaceAll(kubeTime(STARTED), kubeTime(times.started))
        .replaceAll(kubeTime(SETTLED), kubeTime(times.settled)),
    );
  };
}

function carriedApplication(
  work: ManifestWork | undefined,
): Application | undefined {
  return work?.spec?.workload?.manifests?.find(
    ({ kind }) => kind === 'Application',
  );
}

function reportedStatus(
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

/** What comes home to the hub Application, as the pull model has it. */
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
