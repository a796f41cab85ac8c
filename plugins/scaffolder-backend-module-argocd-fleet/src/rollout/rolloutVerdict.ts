import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type ApplicationSetDetail,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import { describeRef } from '../fleetAccess';
import { describeLeftovers } from '../leftovers';
import { blockersOf, type Blocker } from './blockers';
import { describeRolloutFailure } from './rolloutFailure';
import type { RolloutProgress } from './rolloutProgress';

/** The result of one request for the ApplicationSet. */
export interface Observation {
  /** The progress in one line. */
  readonly message: string;
  /** Undefined when the API did not return the ApplicationSet. */
  readonly state?: {
    readonly detail: ApplicationSetDetail;
    readonly progress: RolloutProgress;
  };
  /** The API answered that the ApplicationSet does not exist. */
  readonly notFound?: boolean;
}

/** `recheckAt` is the time, in milliseconds, from which the same observation may lead to another verdict. */
export type Verdict =
  | { readonly kind: 'done'; readonly progress: RolloutProgress }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'waiting'; readonly recheckAt: number };

/** An error that comes back so often is one that lasts, and is gone only while Argo CD tries again. */
const MIN_RETURNS = 2;

/** What is known of a blocker over time, in milliseconds. */
interface SeenBlocker {
  readonly first: number;
  /** Undefined while it is gone. */
  since: number | undefined;
  /** How often it came back. */
  readonly returns: number;
}

/** Returns a function that evaluates the observations of one rollout in their order. All times are in milliseconds. */
export function createRolloutEvaluator(options: {
  readonly ref: ObjectRef;
  readonly startedAt: number;
  readonly timeoutMs: number;
  /** How long the same error may last before the rollout fails. */
  readonly failAfterMs: number;
  /** How long the ApplicationSet must stay done, or not found, before that is taken as the result. */
  readonly settleMs: number;
}): (observation: Observation, now: number) => Verdict {
  const { ref, timeoutMs, failAfterMs, settleMs } = options;
  const deadline = options.startedAt + timeoutMs;
  const what = `The ApplicationSet ${describeRef(ref)}`;
  let doneSince: number | undefined;
  let notFoundSince: number | undefined;
  const seen = new Map<string, SeenBlocker>();
  let lastDetail: ApplicationSetDetail | undefined;

  /** Blockers that have lasted too long, and the time when the next one will have. */
  function checkBlockers(
    { detail, progress }: NonNullable<Observation['state']>,
    now: number,
  ) {
    const blockers = blockersOf(detail, progress.unreliableBecause);
    const present = new Set(blockers.map(({ key }) => key));
    for (const [key, blocker] of seen) {
      if (!present.has(key)) {
        blocker.since = undefined;
      }
    }
    for (const key of present) {
      const { first, since, returns } = seen.get(key) ?? {
        ...{ first: now, since: now, returns: 0 },
      };
      seen.set(key, {
        first,
        since: since ?? now,
        returns: returns + Number(since === undefined),
      });
    }
    const due = ({ key }: Blocker) => {
      const { first, since = now, returns } = seen.get(key)!;
      return (returns >= MIN_RETURNS ? first : since) + failAfterMs;
    };
    return {
      lasting: blockers.filter(blocker => due(blocker) <= now),
      nextDue: Math.min(...blockers.map(due)),
    };
  }

  return ({ message, state, notFound }, now) => {
    lastDetail = state?.detail ?? lastDetail;
    if (state?.progress.done) {
      seen.clear();
      doneSince ??= now;
      return now - doneSince >= settleMs
        ? { kind: 'done', progress: state.progress }
        : { kind: 'waiting', recheckAt: doneSince + settleMs };
    }
    doneSince = undefined;
    // Another replica of the backend may not have received the event of the creation yet.
    notFoundSince = notFound && lastDetail ? (notFoundSince ?? now) : undefined;
    if (lastDetail && notFoundSince !== undefined) {
      return now - notFoundSince >= settleMs
        ? { kind: 'failed', message: describeDeletion(what, ref, lastDetail) }
        : { kind: 'waiting', recheckAt: notFoundSince + settleMs };
    }
    const { lasting, nextDue } = state
      ? checkBlockers(state, now)
      : { lasting: [], nextDue: deadline };
    if (state && lasting.length > 0) {
      return {
        kind: 'failed',
        message: lines(
          `${what} has had the same error for ${seconds(
            failAfterMs,
          )}: ${describeBlockers(lasting)}`,
          describeRolloutFailure(
            state.detail,
            state.progress,
            lasting.map(({ finding }) => finding),
          ),
          leftoversOf(ref, state.detail),
        ),
      };
    }
    return now < deadline
      ? { kind: 'waiting', recheckAt: Math.min(deadline, nextDue) }
      : {
          kind: 'failed',
          message: lines(
            `${what} is not synced and healthy on its clusters after ${seconds(timeoutMs)}: ${
              state?.progress.headline ?? message
            }`,
            state && describeRolloutFailure(state.detail, state.progress),
            state && leftoversOf(ref, state.detail),
          ),
        };
  };
}

/** The first error, with one cluster and the number of the others that have it. */
function describeBlockers(blockers: readonly Blocker[]): string {
  const [{ finding, cluster }] = blockers;
  const clusters = new Set(
    blockers.flatMap(blocker =>
      blocker.finding.code === finding.code ? (blocker.cluster ?? []) : [],
    ),
  );
  const more = clusters.size > 1 ? ` and ${clusters.size - 1} more` : '';
  return `${finding.title}${cluster ? ` (${cluster}${more})` : ''}`;
}

function describeDeletion(
  what: string,
  ref: ObjectRef,
  detail: ApplicationSetDetail,
): string {
  return lines(
    `${what} was deleted during its rollout. Run this again to create it.`,
    leftoversOf(ref, detail, { isDeleted: true }),
  );
}

/** Lists only what this project's API created: other objects are not the template's to remove. */
function leftoversOf(
  { hub, namespace, name }: ObjectRef,
  { labels, placement }: ApplicationSetDetail,
  options: { isDeleted?: boolean } = {},
): string | undefined {
  if (labels?.[MANAGED_BY_LABEL] !== MANAGED_BY) {
    return undefined;
  }
  const objects = [
    ...(options.isDeleted
      ? []
      : [{ kind: 'ApplicationSet' as const, namespace, name }]),
    ...(placement
      ? [{ kind: 'Placement' as const, namespace, name: placement.name }]
      : []),
  ];
  return objects.length > 0 ? describeLeftovers(hub, objects) : undefined;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n');
}
