import { isJsonObject } from '../kubernetes/json';

/**
 * A value that is `map[string]string` in Argo CD, not `map[string]any`:
 * generator selectors can select by entries of the latter only.
 */
export class GoStringMap {
  [key: string]: unknown;

  constructor(entries: Readonly<Record<string, string>>) {
    Object.assign(this, entries);
  }
}

/** A value in the format of Go's `%v`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) {
    return '<nil>';
  }
  if (typeof value === 'number') {
    return floatText(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(goText).join(' ')}]`;
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, nested]) => `${key}:${goText(nested)}`).join(' ')}]`;
  }
  return String(value);
}

// JSON numbers are float64 in Go. From a million on and below 1e-4, Go writes
// an exponent of at least two digits.
function floatText(value: number): string {
  const [mantissa, exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value === 0 || (power >= -4 && power < 6)) {
    return String(value);
  }
  const sign = power < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}
