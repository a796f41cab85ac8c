import type {
  RecordedState,
  Transition,
} from 'backstage-plugin-argocd-fleet-common';

const FIELDS = ['health', 'sync', 'phase', 'revision'] as const;

/** A part of an Application's state that turned from one value to another; of either, there may be none. */
export type Change = {
  [Field in (typeof FIELDS)[number]]: {
    readonly field: Field;
    readonly from?: RecordedState[Field];
    readonly to?: RecordedState[Field];
  };
}[(typeof FIELDS)[number]];

/** What changed with a transition, without the error; all that there is where nothing is known of before. */
export function changesOf(transition: Transition): Change[] {
  const { previous } = transition;
  return FIELDS.filter(field => transition[field] !== previous?.[field]).map(
    field =>
      ({ field, from: previous?.[field], to: transition[field] }) as Change,
  );
}

/** What became of the first error: another or a new one, or none any more; undefined where it is what it was. */
export function errorChangeOf({
  error,
  previous,
}: Transition): { readonly to?: string } | undefined {
  return error === previous?.error ? undefined : { to: error };
}
