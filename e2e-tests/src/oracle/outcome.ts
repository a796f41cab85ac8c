import { isDeepStrictEqual } from 'node:util';

import { Json } from '../hub/hubClient';
import { DEFAULT_SPEC } from './oracleCase';

/** State of an ApplicationSet and its Applications at one time, without fields that differ from run to run. */
export interface Outcome {
  /** By their names without the prefix `<set>-`. */
  readonly applications: Readonly<Record<string, Json>>;
  /** Status and reason of the set's condition of that type. */
  readonly ErrorOccurred?: { status: string; reason: string };
  /** With a rolling sync only, as is `rollout`. */
  readonly RolloutProgressing?: { status: string; message: string };
  readonly rollout?: readonly Json[];
}

/** Reduces Kubernetes objects to an outcome. */
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
      // The message depends on the order in which the controller handles events.
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
    spec: isDeepStrictEqual(spec, DEFAULT_SPEC) ? 'as usual' : spec,
    ...(operation && { operation }),
    ...(metadata.deletionTimestamp && { isBeingDeleted: true }),
  };
}

/** An owner reference without its UID, which differs in every run. */
function ownerText(owner: Json): string {
  const { apiVersion, kind, name, controller, blockOwnerDeletion } = owner;
  return [
    `${apiVersion} ${kind} ${name}`,
    ...(controller ? ['controller'] : []),
    ...(blockOwnerDeletion ? ['blockOwnerDeletion'] : []),
  ].join(', ');
}
