import type {
  RecordedState,
  Transition,
} from 'backstage-plugin-argocd-fleet-common';

const FIELDS = ['health', 'sync', 'phase'] as const;

/** The revision of one source that turned from one to another; of either, there may be none. */
export interface RevisionChange {
  readonly field: 'revision';
  /** Which of the Application's sources; 0 is the first. */
  readonly source: number;
  readonly from?: string;
  readonly to?: string;
}

/** A part of an Application's state that turned from one value to another; of either, there may be none. */
export type Change =
  | RevisionChange
  | {
      [Field in (typeof FIELDS)[number]]: {
        readonly field: Field;
        readonly from?: RecordedState[Field];
        readonly to?: RecordedState[Field];
      };
    }[(typeof FIELDS)[number]];

/** What changed with a transition, without the error; all that there is where nothing is known of before. */
export function changesOf(transition: Transition): Change[] {
  const { previous } = transition;
  return [
    ...FIELDS.filter(field => transition[field] !== previous?.[field]).map(
      field =>
        ({ field, from: previous?.[field], to: transition[field] }) as Change,
    ),
    ...revisionChanges(revisionsOf(previous), revisionsOf(transition)),
  ];
}

function revisionChanges(
  before: readonly string[],
  after: readonly string[],
): RevisionChange[] {
  const longer = before.length > after.length ? before : after;
  return [...longer.keys()]
    .filter(source => before[source] !== after[source])
    .map(source => ({
      field: 'revision',
      source,
      from: before[source],
      to: after[source],
    }));
}

function revisionsOf(state: RecordedState | undefined): readonly string[] {
  return state?.revisions ?? (state?.revision ? [state.revision] : []);
}

/** What became of the first error: another or a new one, or none any more; undefined where it is what it was. */
export function errorChangeOf({
  error,
  previous,
}: Transition): { readonly to?: string } | undefined {
  return error === previous?.error ? undefined : { to: error };
}
