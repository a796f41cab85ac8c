// The output that the benchmarks share.
const COMPARE = {
  '<': (figure, limit) => figure < limit,
  '≤': (figure, limit) => figure <= limit,
  '≥': (figure, limit) => figure >= limit,
  '=': (figure, limit) => figure === limit,
};

export const log = text => console.log(`• ${text}`);

export function round(value, digits = 1) {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** A row of the table of results: `figure` must compare to `limit` as `operator` says. */
export function row(figure, operator, limit) {
  return {
    figure: round(figure, 2),
    target: `${operator} ${limit}`,
    ok: COMPARE[operator](figure, limit) ? 'yes' : 'NO',
  };
}

/** The value below which `share` of the sorted values are. */
export const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
