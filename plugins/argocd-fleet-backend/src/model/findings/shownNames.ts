/** So many are shown. */
const SHOWN = 20;

/** The names to show of any number: the first twenty, and how many more there are. */
export function shownNames(names: readonly string[]): readonly string[] {
  const more = names.length - SHOWN;
  return more > 0 ? [...names.slice(0, SHOWN), `and ${more} more`] : names;
}
