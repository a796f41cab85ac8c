/**
 * Go's name for the type of a JSON value, as its decoder says it when a value does not fit: `json: cannot unmarshal number into …`.
 */
export function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) {
    return 'array';
  }
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'object':
      return value === null ? 'null' : 'object';
    default:
      return typeof value;
  }
}
