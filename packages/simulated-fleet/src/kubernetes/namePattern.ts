/** True if `name` matches one of `patterns`; `*` matches any text. */
export function matchesName(
  patterns: readonly string[],
  name: string,
): boolean {
  return patterns.some(pattern => {
    const parts = pattern
      .split('*')
      .map(part => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`).test(name);
  });
}
