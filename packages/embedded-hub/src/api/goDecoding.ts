/** The type of a JSON value as Go's decoder names it in errors: `json: cannot unmarshal number into …`. */
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
