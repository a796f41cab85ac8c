import type {
  RecordedState,
  Transition,
} from 'backstage-plugin-argocd-fleet-common';
import { reportingOf, type Reporting } from './reporting';

const FIELDS = ['health', 'sync', 'phase'] as const;

/** Change of one source's revision; `from` or `to` is undefined where there was or is none. */
export interface RevisionChange {
  readonly field: 'revision';
  /** Index of the Application's source, from 0. */
  readonly source: number;
  readonly from?: string;
  readonly to?: string;
}

/** The cluster fell silent, or reports again. */
export interface ReportingChange {
  readonly field: 'reporting';
  readonly from: Reporting;
  readonly to: Reporting;
}

/** Change of one field of an Application's state; `from` or `to` is undefined where there was or is no value. */
export type Change =
  | RevisionChange
  | ReportingChange
  | {
      [Field in (typeof FIELDS)[number]]: {
        readonly field: Field;
        readonly from?: RecordedState[Field];
        readonly to?: RecordedState[Field];
      };
    }[(typeof FIELDS)[number]];

/** The fields that a transition changed, except the error; all fields where the state before is not known. */
export function changesOf(transition: Transition): Change[] {
  const { previous } = transition;
  const [from, to] = [reportingOf(previous), reportingOf(transition)];
  return [
    ...(from === to ? [] : [{ field: 'reporting', from, to } as const]),
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

/** The revision of each source; none where none is known. */
export function revisionsOf(
  state: RecordedState | undefined,
): readonly string[] {
  return state?.revisions ?? (state?.revision ? [state.revision] : []);
}

/** Change of the first error: `to` is undefined if the error is gone; undefined if it did not change. */
export function errorChangeOf({
  error,
  previous,
}: Transition): { readonly to?: string } | undefined {
  return error === previous?.error ? undefined : { to: error };
}
