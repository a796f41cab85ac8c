import { HubInformers } from '../hub/hubInformers';
import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { jsonEqual } from '../kubernetes/json';
import { objectKey } from '../kubernetes/objects';
import { hasGenerator } from './generatorParams';
import { rollingSteps } from './rollingSync';

/** The callbacks of {@link onApplicationSetChanges}; keys are those of ApplicationSets. */
export interface ReconcileTriggers {
  /** The key of the set that controls an Application, or undefined. */
  setKey(application: Application): string | undefined;
  reconcile(key: string): void;
  /** Called after the set's own rollout has progressed. */
  reconcileRollout(key: string): void;
  /** Called if only the set's status can change. */
  reconcileStatus(key: string): void;
  /** Whether the set's last reconcile ended with an error, or one has not ended yet. */
  mayHaveError(key: string): boolean;
}

/** Maps events of the hub to the ApplicationSets that they affect. */
export function onApplicationSetChanges(
  hub: HubInformers,
  triggers: ReconcileTriggers,
) {
  const setsThat = (depend: (set: ApplicationSet) => boolean) => () =>
    hub.applicationSets
      .list()
      .filter(depend)
      .forEach(set => triggers.reconcile(objectKey(set)));

  hub.applicationSets.onChange((now, before) => {
    const inputs = (set: typeof now) => [
      set?.spec,
      set?.metadata.uid,
      set?.metadata.deletionTimestamp,
      set?.metadata.labels,
      set?.metadata.annotations,
      set?.metadata.finalizers,
    ];
    const rollout = (set: typeof now) => set?.status?.applicationStatus;
    if (now && !jsonEqual(inputs(now), inputs(before))) {
      triggers.reconcile(objectKey(now));
    } else if (now && !jsonEqual(rollout(now), rollout(before))) {
      // Of the set's own status changes, only progress of a rollout needs a reconcile.
      triggers.reconcileRollout(objectKey(now));
    }
  });
  hub.applications.onChange((now, before) => {
    const key = triggers.setKey(now ?? (before as Application));
    if (!key) {
      return;
    }
    const set = hub.applicationSets.get(key);
    if (
      !now ||
      (before && !jsonEqual(generatedPart(now), generatedPart(before)))
    ) {
      triggers.reconcile(key);
    } else if (before && set && rollingSteps(set) && hasProgress(now, before)) {
      triggers.reconcile(key);
    }
    if (!before || !jsonEqual(now?.status, before.status)) {
      triggers.reconcileStatus(key);
    }
  });
  const byDecisions = (set: ApplicationSet) =>
    hasGenerator(set, 'clusterDecisionResource');
  hub.placementDecisions.onChange(setsThat(byDecisions));
  hub.configMaps.onChange(setsThat(byDecisions));
  // A new cluster or AppProject may resolve an error. Argo CD checks only every 3 minutes.
  const mayHaveError = (set: ApplicationSet) =>
    triggers.mayHaveError(objectKey(set));
  hub.clusterSecrets.onChange(
    setsThat(
      set =>
        byDecisions(set) || hasGenerator(set, 'clusters') || mayHaveError(set),
    ),
  );
  hub.appProjects.onChange(setsThat(mayHaveError));
}

/** The fields of an Application that its set writes. */
function generatedPart({ spec, metadata }: Application) {
  const { labels, annotations, finalizers } = metadata;
  return [spec, labels, annotations, finalizers];
}

/**
 * Whether a status change of an Application makes Argo CD reconcile a rollout.
 * As in Argo CD, the first operation that an Application reports does not.
 */
function hasProgress(now: Application, before: Application): boolean {
  const [current, previous] = [now.status, before.status];
  const [operation, last] = [current?.operationState, previous?.operationState];
  return (
    current?.health?.status !== previous?.health?.status ||
    current?.sync?.status !== previous?.sync?.status ||
    (operation !== undefined &&
      last !== undefined &&
      (operation.phase !== last.phase ||
        operation.startedAt !== last.startedAt))
  );
}
