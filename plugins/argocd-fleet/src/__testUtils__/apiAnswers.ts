import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';

/** The part of an OpenAPI schema that describes responses. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

const DOCUMENT = join(
  __dirname,
  '../../../argocd-fleet-backend/src/schema/openapi.yaml',
);

const schemas: Readonly<Record<string, Schema>> = parse(
  readFileSync(DOCUMENT, 'utf8'),
).components.schemas;

const TEXTS = fc.oneof(
  fc.string({ maxLength: 12, unit: 'grapheme' }),
  fc.constantFrom(
    '',
    ' ',
    'constructor',
    '__proto__',
    'data:text/html,<script>alert(1)</script>',
    'https://git.example.com/team/repository.git',
    'git@git.example.com:team/repository.git',
    'oci://registry.example.com/chart',
    'two\nlines\tof text',
    'a'.repeat(40),
    'x'.repeat(500),
  ),
);

const TIMES = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date(0) })
    .filter(date => date.getFullYear() < 10_000)
    .map(date => date.toISOString()),
  fc.constantFrom('0001-01-01T00:00:00Z', '2026-11-22T10:00:00.5+02:00'),
);

function valuesOf(schema: Schema): fc.Arbitrary<any> {
  const { $ref, allOf, type, format, required = [], properties } = schema;
  if ($ref) {
    return valuesOf(schemas[$ref.split('/').pop()!]);
  }
  if (allOf) {
    return fc
      .tuple(...allOf.map(valuesOf))
      .map(parts => Object.assign({}, ...parts));
  }
  if (schema.enum) {
    return fc.constantFrom(...schema.enum);
  }
  switch (type) {
    case 'string':
      return format === 'date-time' ? TIMES : TEXTS;
    case 'integer':
      return fc.oneof(fc.nat(5), fc.nat());
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf(schema.items!), { maxLength: 3 });
    case 'object':
      return properties
        ? fc.record(
            Object.fromEntries(
              Object.entries(properties).map(([name, property]) => [
                name,
                valuesOf(property),
              ]),
            ),
            { requiredKeys: [...required] },
          )
        : fc.dictionary(TEXTS, valuesOf(schema.additionalProperties!), {
            maxKeys: 3,
          });
    default:
      throw new Error(`No arbitrary for schema ${JSON.stringify(schema)}`);
  }
}

/** Any value that the OpenAPI document allows for a schema. */
export function anyAnswer<T>(schema: string): fc.Arbitrary<T> {
  return valuesOf(schemas[schema]);
}
