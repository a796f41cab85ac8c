const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of a Go duration such as `1m30s`; a plain number is seconds. Undefined for any other text. */
export function durationMs(text: string): number | undefined {
  if (/^\d+$/.test(text)) {
    return Number(text) * 1000;
  }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.length > 0
    ? parts.reduce((sum, [, n, unit]) => sum + Number(n) * UNIT_MS[unit], 0)
    : undefined;
}
