import type { HistoryGate, HistoryPace, RecordChange } from '../model/status';

/** What a new state of an Application changes in its history. */
export interface HistoryStep {
  /** The transition that it becomes; undefined where it becomes none. */
  readonly transition?: {
    readonly isMilestone: boolean;
    readonly omitted: number;
  };
  /** What its row has after it. */
  readonly after: HistoryColumns;
}

/** What the row of an Application has of its history. */
export interface HistoryColumns {
  /** Changes since the last transition that are not recorded. */
  readonly omitted: number;
  readonly pace?: HistoryPace;
}

/** Of an Application that was never recorded. */
export const NO_HISTORY: HistoryColumns = { omitted: 0 };

/** Counts what is not recorded; a state that is recorded late is none of those any more. */
export function historyStep(
  gate: HistoryGate,
  { columns, isTransition, isOverdue }: RecordChange,
  now: number,
  before: HistoryColumns,
): HistoryStep {
  if (!isTransition && !isOverdue) {
    return { after: before };
  }
  const { omitted, pace } = before;
  const admission = gate.admit(columns, pace, now);
  return admission.isRecorded
    ? {
        transition: {
          isMilestone: admission.isMilestone,
          omitted: isTransition ? omitted : Math.max(0, omitted - 1),
        },
        after: { omitted: 0, pace: admission.pace },
      }
    : { after: { omitted: omitted + (isTransition ? 1 : 0), pace } };
}

/** What a row of an Application has of its history. */
export function historyColumns(
  row: Readonly<Record<string, unknown>>,
): HistoryColumns {
  const pace = row.history_pace as string | null;
  return {
    omitted: Number(row.omitted),
    ...(pace && { pace: JSON.parse(pace) as HistoryPace }),
  };
}
