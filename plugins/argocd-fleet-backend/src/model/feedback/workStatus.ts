import type {
  Condition,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationManifest } from '../delivery';
import { READY_CONDITION } from './feedbackRules';

/** The agent's status of one manifest of a work. */
export type ManifestStatus = NonNullable<
  NonNullable<
    NonNullable<ManifestWork['status']>['resourceStatus']
  >['manifests']
>[number];

/** A condition as the cache stores it: a long message as its lines, which works can share. */
export type StoredCondition = Condition & {
  readonly messageLines?: readonly string[];
};

/** The statuses of all manifests of a work, including those of other writers. */
export function manifestStatuses(
  work: ManifestWork,
): readonly ManifestStatus[] {
  return work.status?.resourceStatus?.manifests ?? [];
}

/**
 * The status of the Application's manifest. It may not be the first one: other writers add a Namespace and an
 * AppProject.
 */
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
          // An observed Application may have the same name in another namespace.
          (!meta.namespace || meta.namespace === payload.namespace))),
  );
}

/** The `manifestKey` of the manifest that a status is about. */
export function statusKey({ resourceMeta: meta }: ManifestStatus): string {
  return JSON.stringify([meta?.group, meta?.kind, meta?.namespace, meta?.name]);
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

/** The lines of the digest in a work's status, or of the error in its place. */
export function digestLines(work: ManifestWork): readonly string[] | undefined {
  const ready = storedConditionOf(
    applicationStatusOf(work)?.conditions,
    READY_CONDITION,
  );
  return ready && linesOf(ready);
}

/** A condition of the work's Application. */
export function applicationCondition(
  work: ManifestWork,
  type: string,
): Condition | undefined {
  return conditionOf(applicationStatusOf(work)?.conditions, type);
}
