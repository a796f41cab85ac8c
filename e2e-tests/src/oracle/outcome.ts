import { isDeepStrictEqual } from 'node:util';

import { Json, USUAL_SPEC } from './oracleCase';

/** What came of an ApplicationSet at one time, without what differs from run to run. */
export interface Outcome {
  /** By what their names have after the set's. */
  readonly applications: Readonly<Record<string, Json>>;
  /** The set's condition of that type: whether, and why. */
  readonly ErrorOccurred?: { status: string; reason: string };
  /** Only with a rolling sync. */
  readonly RolloutProgressing?: { status: string; message: string };
  readonly rollout?: readonly Json[];
}

/** What is written of the Kubernetes objects into an outcome. */
export function outcomeOf(
  set: Json | undefined,
  applications: readonly Json[],
  caseName: string,
): Outcome {
  const condition = (type: string) =>
    set?.status?.conditions?.find((each: Json) => each.type === type);
  const error = condition('ErrorOccurred');
  const progressing = condition('RolloutProgressing');
  const rollout = set?.status?.applicationStatus;
  return {
    applications: Object.fromEntries(
      applications
        .map(application => [
          application.metadata.name.slice(caseName.length + 1),
          generatedFields(application),
        ])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    ...(error && {
      ErrorOccurred: { status: error.status, reason: error.reason },
    }),
    ...(progressing && {
      RolloutProgressing: {
        status: progressing.status,
        message: progressing.message,
      },
    }),
    ...(rollout?.length && {
      // What the message tells of the way there depends on how events come together.
      rollout: rollout.map(
        ({ lastTransitionTime, message, ...entry }: Json) => entry,
      ),
    }),
  };
}

function generatedFields({ metadata, spec, operation }: Json): Json {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  const isFilled = (part?: Json) => part && Object.keys(part).length > 0;
  return {
    ...(isFilled(labels) && { labels }),
    ...(isFilled(annotations) && { annotations }),
    ...(isFilled(finalizers) && { finalizers }),
    ...(isFilled(ownerReferences) && {
      owners: ownerReferences.map(ownerText),
    }),
    spec: isDeepStrictEqual(spec, USUAL_SPEC) ? 'as usual' : spec,
    ...(operation && { operation }),
    ...(metadata.deletionTimestamp && { isBeingDeleted: true }),
  };
}

/** An owner reference without its UID, which is another one in every run. */
function ownerText(owner: Json): string {
  const { apiVersion, kind, name, controller, blockOwnerDeletion } = owner;
  return [
    `${apiVersion} ${kind} ${name}`,
    ...(controller ? ['controller'] : []),
    ...(blockOwnerDeletion ? ['blockOwnerDeletion'] : []),
  ].join(', ');
}
