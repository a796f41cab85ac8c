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

/** What is known after one look. */
export interface Look {
  /** How far it is, in one line. */
  readonly message: string;
  /** Undefined where nothing was to be seen. */
  readonly seen?: {
    readonly detail: ApplicationSetDetail;
    readonly progress: RolloutProgress;
  };
  /** The API answers that there is no such ApplicationSet. */
  readonly absent?: boolean;
}

/** What follows from it; `lookAgainBy` is the time, in milliseconds, at which the same sight may mean something else. */
export type Verdict =
  | { readonly kind: 'done'; readonly progress: RolloutProgress }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'waiting'; readonly lookAgainBy: number };

/** Judges one look after the other; all times are in milliseconds. */
export function createRolloutJudge(options: {
  readonly ref: ObjectRef;
  readonly startedAt: number;
  readonly timeoutMs: number;
  /** How long an error may stay as it is. */
  readonly failAfterMs: number;
  /** How long the end of it, or its absence, must last to be believed. */
  readonly settleMs: number;
}): (look: Look, now: number) => Verdict {
  const { ref, timeoutMs, failAfterMs, settleMs } = options;
  const deadline = options.startedAt + timeoutMs;
  const what = `The ApplicationSet ${describeRef(ref)}`;
  let wellSince: number | undefined;
  let absentSince: number | undefined;
  let blockedSince = new Map<string, number>();
  let lastDetail: ApplicationSetDetail | undefined;

  /** Blockers that are there for too long, and when the next one will be. */
  function blocked(
    { detail, progress }: NonNullable<Look['seen']>,
    now: number,
  ) {
    const blockers = blockersOf(detail, progress.doubt);
    blockedSince = new Map(
      blockers.map(({ key }) => [key, blockedSince.get(key) ?? now]),
    );
    const due = ({ key }: Blocker) =>
      (blockedSince.get(key) ?? now) + failAfterMs;
    return {
      lasting: blockers.filter(blocker => due(blocker) <= now),
      nextDue: Math.min(...blockers.map(due)),
    };
  }

  return ({ message, seen, absent }, now) => {
    lastDetail = seen?.detail ?? lastDetail;
    if (seen?.progress.done) {
      blockedSince.clear();
      wellSince ??= now;
      return now - wellSince >= settleMs
        ? { kind: 'done', progress: seen.progress }
        : { kind: 'waiting', lookAgainBy: wellSince + settleMs };
    }
    wellSince = undefined;
    // A replica of the backend that was told a moment later does not have it yet.
    absentSince = absent && lastDetail ? (absentSince ?? now) : undefined;
    if (lastDetail && absentSince !== undefined) {
      return now - absentSince >= settleMs
        ? { kind: 'failed', message: describeDeletion(what, ref, lastDetail) }
        : { kind: 'waiting', lookAgainBy: absentSince + settleMs };
    }
    const { lasting, nextDue } = seen
      ? blocked(seen, now)
      : { lasting: [], nextDue: deadline };
    if (seen && lasting.length > 0) {
      return {
        kind: 'failed',
        message: lines(
          `${what} has an error that has not gone away for ${seconds(
            failAfterMs,
          )}: ${describeBlockers(lasting)}`,
          describeRolloutFailure(
            seen.detail,
            seen.progress,
            lasting.map(({ finding }) => finding),
          ),
          whatStays(ref, seen.detail),
        ),
      };
    }
    return now < deadline
      ? { kind: 'waiting', lookAgainBy: Math.min(deadline, nextDue) }
      : {
          kind: 'failed',
          message: lines(
            `${what} is not there yet after ${seconds(timeoutMs)}: ${
              seen?.progress.headline ?? message
            }`,
            seen && describeRolloutFailure(seen.detail, seen.progress),
            seen && whatStays(ref, seen.detail),
          ),
        };
  };
}

/** The first error, and on how many clusters it is. */
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
    `${what} was there and is not any more: it was deleted while its rollout was waited for. Run this again to create it anew.`,
    whatStays(ref, detail, { applicationSetIsGone: true }),
  );
}

/** Only of what this project's API created: everything else has an owner elsewhere. */
function whatStays(
  { hub, namespace, name }: ObjectRef,
  { labels, placement }: ApplicationSetDetail,
  options: { applicationSetIsGone?: boolean } = {},
): string | undefined {
  if (labels?.[MANAGED_BY_LABEL] !== MANAGED_BY) {
    return undefined;
  }
  const objects = [
    ...(options.applicationSetIsGone
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
