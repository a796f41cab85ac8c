import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolvePackagePath } from '@backstage/backend-plugin-api';
import { parseAllDocuments } from 'yaml';

/** The part of a structural schema that {@link violations} checks. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

interface Definition {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

/** File of a published CRD, in `ARGOCD_FLEET_CRDS` or beside the repository; undefined if it is not there. */
export function crdFile(name: string): string | undefined {
  const folder =
    process.env.ARGOCD_FLEET_CRDS ??
    resolvePackagePath(
      'backstage-plugin-argocd-fleet-backend',
      '../../../shared/crds',
    );
  const file = join(folder, name);
  return existsSync(file) ? file : undefined;
}

/** Schema of one version of a CRD. */
export function crdSchema(file: string, version: string): Schema {
  const [definition] = parseAllDocuments(readFileSync(file, 'utf8'))
    .map(document => document.toJS() as Definition | null)
    .filter(document => document !== null);
  const found = definition.spec.versions.find(({ name }) => name === version);
  if (!found) {
    throw new Error(`${file} has no version ${version}`);
  }
  return found.schema.openAPIV3Schema;
}

/** What an API server with that schema would reject or prune, one line each. */
export function violations(
  value: unknown,
  schema: Schema,
  path = '',
): string[] {
  if (Array.isArray(value)) {
    return schema.type === 'array' && schema.items
      ? value.flatMap((item, index) =>
          violations(item, schema.items!, `${path}[${index}]`),
        )
      : [`${path}: no ${schema.type}`];
  }
  if (typeof value === 'object' && value !== null) {
    return objectViolations(value as Record<string, unknown>, schema, path);
  }
  return scalarViolations(value, schema, path);
}

function objectViolations(
  value: Record<string, unknown>,
  schema: Schema,
  path: string,
): string[] {
  const { properties = {}, additionalProperties: additional } = schema;
  const missing = (schema.required ?? [])
    .filter(key => value[key] === undefined)
    .map(key => `${path}.${key}: missing`);
  // The API server defines metadata; a CRD only says that it is an object.
  const open =
    schema['x-kubernetes-preserve-unknown-fields'] || path === '.metadata';
  const below = Object.entries(value).flatMap(([key, field]) => {
    const own =
      properties[key] ??
      (typeof additional === 'object' ? additional : undefined);
    if (own) {
      return violations(field, own, `${path}.${key}`);
    }
    return open ? [] : [`${path}.${key}: unknown`];
  });
  return [...missing, ...below];
}

function scalarViolations(
  value: unknown,
  schema: Schema,
  path: string,
): string[] {
  const type = schema.type === 'integer' ? 'number' : schema.type;
  const text = typeof value === 'string' ? value : undefined;
  const isEither =
    schema['x-kubernetes-int-or-string'] &&
    (Number.isInteger(value) || text !== undefined);
  return [
    typeof value !== type && !isEither && `${path}: no ${schema.type}`,
    schema.enum && !schema.enum.includes(value) && `${path}: not allowed`,
    text !== undefined &&
      schema.pattern &&
      !new RegExp(schema.pattern).test(text) &&
      `${path}: does not match ${schema.pattern}`,
    text !== undefined &&
      text.length > (schema.maxLength ?? Infinity) &&
      `${path}: too long`,
  ].filter(violation => typeof violation === 'string');
}
