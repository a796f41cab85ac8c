/** What the first field of every digest begins with. */
export const DIGEST_FAMILY = 'argocd-fleet-digest/';

/** First field of a digest that this version reads. */
export const DIGEST_MARK = `${DIGEST_FAMILY}1`;

/** Fields of a line, its tag first; a field without a value is empty. */
export type Fields = readonly string[];

/** Fields that identify a resource, in the order of a line. */
export const IDENTITY_FIELDS = [
  'group',
  'version',
  'kind',
  'namespace',
  'name',
] as const;

/** A resource has both, also where its line was cut. */
export const NAMELESS = { kind: '', name: '' };

/** Splits a line. */
export function readFields(line: string): Fields {
  return line.split('\t');
}

/** The fields by name; empty ones are left out, so that values compare equal by their keys too. */
export function named<Name extends string>(
  fields: Fields,
  names: readonly Name[],
): { [N in Name]?: string } {
  const values: { [N in Name]?: string } = {};
  names.forEach((name, index) => {
    const field = fields[index + 1];
    if (field) {
      values[name] = field;
    }
  });
  return values;
}
