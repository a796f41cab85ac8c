/**
 * Whether a name is one that a configuration lists. A listed name is exact, except for a `*` at its end, which stands
 * for any characters: `team-a-*`, or `*` for every name.
 * @public
 */
export function matchesName(patterns: readonly string[], name: string) {
  return patterns.some(pattern =>
    pattern.endsWith('*')
      ? name.startsWith(pattern.slice(0, -1))
      : name === pattern,
  );
}
