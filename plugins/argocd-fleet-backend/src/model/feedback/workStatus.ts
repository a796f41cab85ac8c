import type {
  Condition,
  KubernetesObject,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationManifest } from '../delivery';
import { READY_CONDITION } from './feedbackRules';

/** What the agent says of one manifest of a work. */
export type ManifestStatus = NonNullable<
  NonNullable<
    NonNullable<ManifestWork['status']>['resourceStatus']
  >['manifests']
>[number];

/** A condition as the cache stores it: a long message as its lines, which works can share. */
export type StoredCondition = Condition & {
  readonly messageLines?: readonly string[];
};

/** The statuses of all manifests, those of others too. */
export function manifestStatuses(
  work: ManifestWork,
): readonly ManifestStatus[] {
  return work.status?.resourceStatus?.manifests ?? [];
}

/** The status of the Application's manifest: not necessarily the first, other writers add a Namespace and an AppProject. */
export function applicationStatusOf(
  work: ManifestWork,
): ManifestStatus | undefined {
  const payload = applicationManifest(work)?.metadata;
  return manifestStatuses(work).find(
    ({ resourceMeta: meta }) =>
      meta?.group === 'argoproj.io' &&
      (meta.kind === 'Application' || meta.resource === 'applications') &&
      (!payload ||
        (meta.name === payload.name &&
          // One that is only observed may have the same name elsewhere.
          (!meta.namespace || meta.namespace === payload.namespace))),
  );
}

/** Whether that is the status of a namespaced manifest, whatever its version. */
export function isStatusOf(
  { resourceMeta: meta }: ManifestStatus,
  { apiVersion, kind, metadata }: KubernetesObject,
): boolean {
  return (
    meta?.kind === kind &&
    meta.name === metadata.name &&
    meta.namespace === metadata.namespace &&
    apiVersion.startsWith(`${meta.group}/`)
  );
}

/** A condition of that type, as the cache stores it. */
export function storedConditionOf(
  conditions: readonly StoredCondition[] | undefined,
  type: string,
): StoredCondition | undefined {
  return conditions?.find(condition => condition.type === type);
}

/** A condition of that type. */
export function conditionOf(
  conditions: readonly StoredCondition[] | undefined,
  type: string,
): Condition | undefined {
  const stored = storedConditionOf(conditions, type);
  if (!stored?.messageLines) {
    return stored;
  }
  const { messageLines, ...condition } = stored;
  return { ...condition, message: messageLines.join('\n') };
}

/** The lines of a condition's message. */
export function linesOf({
  messageLines,
  message = '',
}: StoredCondition): readonly string[] {
  return messageLines ?? message.split('\n');
}

/** The lines of the digest that a work brought home, or of what stands in its place. */
export function readyLines(work: ManifestWork): readonly string[] | undefined {
  const ready = storedConditionOf(
    applicationStatusOf(work)?.conditions,
    READY_CONDITION,
  );
  return ready && linesOf(ready);
}
