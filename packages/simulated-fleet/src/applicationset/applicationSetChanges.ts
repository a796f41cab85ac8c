import { HubView } from '../hubView';
import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { jsonEqual } from '../kubernetes/json';
import { objectKey } from '../kubernetes/objects';
import { hasGenerator } from './generatorParams';
import { rollingSteps } from './rollingSync';

/** Who is told that an ApplicationSet wants looking at, by its key. */
export interface WokenByChanges {
  /** The key of the set that an Application belongs to. */
  setKey(application: Application): string | undefined;
  reconcile(key: string): void;
  /** After the progress of its own rollout. */
  reconcileRollout(key: string): void;
  /** For what it tells of its Applications only. */
  reconcileStatus(key: string): void;
}

/** Finds out which ApplicationSets a change on the hub concerns. */
export function onApplicationSetChanges(hub: HubView, wake: WokenByChanges) {
  const setsThat = (depend: (set: ApplicationSet) => boolean) => () =>
    hub.applicationSets
      .list()
      .filter(depend)
      .forEach(set => wake.reconcile(objectKey(set)));

  hub.applicationSets.onChange((now, before) => {
    const written = (set: typeof now) => [
      set?.spec,
      set?.metadata.uid,
      set?.metadata.deletionTimestamp,
      set?.metadata.labels,
      set?.metadata.annotations,
      set?.metadata.finalizers,
    ];
    const rollout = (set: typeof now) => set?.status?.applicationStatus;
    if (now && !jsonEqual(written(now), written(before))) {
      wake.reconcile(objectKey(now));
    } else if (now && !jsonEqual(rollout(now), rollout(before))) {
      // Of its own status writes only a rollout's progress is a reason to look again.
      wake.reconcileRollout(objectKey(now));
    }
  });
  hub.applications.onChange((now, before) => {
    const key = wake.setKey(now ?? (before as Application));
    if (!key) {
      return;
    }
    const set = hub.applicationSets.get(key);
    if (
      !now ||
      (before && !jsonEqual(generatedPart(now), generatedPart(before)))
    ) {
      wake.reconcile(key);
    } else if (before && set && rollingSteps(set) && hasProgress(now, before)) {
      wake.reconcile(key);
    }
    if (!before || !jsonEqual(now?.status, before.status)) {
      wake.reconcileStatus(key);
    }
  });
  const byDecisions = (set: ApplicationSet) =>
    hasGenerator(set, 'clusterDecisionResource');
  hub.placementDecisions.onChange(setsThat(byDecisions));
  hub.configMaps.onChange(setsThat(byDecisions));
  hub.clusterSecrets.onChange(
    setsThat(
      set => byDecisions(set) || hasGenerator(set, 'clusters') || hasError(set),
    ),
  );
  // What is missing to an Application may come; Argo CD looks every 3 minutes.
  hub.appProjects.onChange(setsThat(hasError));
}

function hasError({ status }: ApplicationSet): boolean {
  return Boolean(
    status?.conditions?.some(
      condition =>
        condition.type === 'ErrorOccurred' && condition.status === 'True',
    ),
  );
}

/** What the set writes of an Application. */
function generatedPart({ spec, metadata }: Application) {
  const { labels, annotations, finalizers } = metadata;
  return [spec, labels, annotations, finalizers];
}

/**
 * Whether Argo CD looks at a rollout again for what an Application reports
 * now: the first operation that it ever reports is not noticed as such.
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
