import { KubernetesObject } from '../api/kubernetesObject';
import { StructuralSchema } from '../schema/structuralSchema';
import { ColumnDeclaration } from '../table/columns';

/** A custom resource with one version, in short form. */
export interface CrdDeclaration {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Whether the resource has a status subresource. */
  readonly statusSubresource: boolean;
  readonly labels?: { [key: string]: string };
  readonly columns?: readonly ColumnDeclaration[];
  readonly properties: { readonly [name: string]: StructuralSchema };
  readonly required?: readonly string[];
}

export const STRING: StructuralSchema = { type: 'string' };
export const BOOLEAN: StructuralSchema = { type: 'boolean' };
export const INT32: StructuralSchema = { type: 'integer', format: 'int32' };
export const INT64: StructuralSchema = { type: 'integer', format: 'int64' };
export const DATE_TIME: StructuralSchema = {
  type: 'string',
  format: 'date-time',
};
export const STRINGS: StructuralSchema = { type: 'array', items: STRING };
export const STRING_MAP: StructuralSchema = {
  type: 'object',
  additionalProperties: STRING,
};
/** An object whose fields are not validated. */
export const ANY_OBJECT: StructuralSchema = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
};

export function choice(
  values: readonly string[],
  defaultValue?: string,
): StructuralSchema {
  return {
    type: 'string',
    enum: values,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
  };
}

export function object(
  properties: { readonly [name: string]: StructuralSchema },
  required?: readonly string[],
): StructuralSchema {
  return { type: 'object', properties, ...(required ? { required } : {}) };
}

/** An object of which only these fields are validated. */
export function openObject(
  properties: { readonly [name: string]: StructuralSchema },
  required?: readonly string[],
): StructuralSchema {
  return {
    ...object(properties, required),
    'x-kubernetes-preserve-unknown-fields': true,
  };
}

export function list(items: StructuralSchema): StructuralSchema {
  return { type: 'array', items };
}

/** A list of type `map`, whose items are identified by these fields. */
export function keyedList(
  keys: readonly string[],
  items: StructuralSchema,
): StructuralSchema {
  return {
    ...list(items),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  };
}

const QUALIFIED_NAME =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

/** A key of labels and taints. */
export const QUALIFIED_KEY: StructuralSchema = {
  type: 'string',
  maxLength: 316,
  pattern: QUALIFIED_NAME,
};

const CONDITION = object(
  {
    lastTransitionTime: DATE_TIME,
    message: { type: 'string', maxLength: 32768 },
    observedGeneration: { ...INT64, minimum: 0 },
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    },
    status: choice(['True', 'False', 'Unknown']),
    type: QUALIFIED_KEY,
  },
  ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
);

/** `metav1.Condition` in a list keyed by type. */
export const CONDITIONS = keyedList(['type'], CONDITION);

/** {@link CONDITIONS} where the published definition declares no key. */
export const UNKEYED_CONDITIONS = list(CONDITION);

const REQUIREMENTS = list(
  object(
    {
      key: STRING,
      operator: STRING,
      values: { ...STRINGS, 'x-kubernetes-list-type': 'atomic' },
    },
    ['key', 'operator'],
  ),
);

/** `metav1.LabelSelector`. */
export const LABEL_SELECTOR: StructuralSchema = {
  ...object({
    matchExpressions: { ...REQUIREMENTS, 'x-kubernetes-list-type': 'atomic' },
    matchLabels: STRING_MAP,
  }),
  'x-kubernetes-map-type': 'atomic',
};

/** OCM's selector of clusters by their claims. */
export const CLAIM_SELECTOR = object({ matchExpressions: REQUIREMENTS });

export const AGE_DECLARATION: ColumnDeclaration = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
};

/** A column with a field, by default the status, of one condition. */
export function conditionColumn(
  name: string,
  condition: string,
  field = 'status',
): ColumnDeclaration {
  return {
    name,
    type: 'string',
    jsonPath: `.status.conditions[?(@.type=="${condition}")].${field}`,
  };
}

/** The CustomResourceDefinition of a declaration. */
export function toCustomResourceDefinition(
  declaration: CrdDeclaration,
): KubernetesObject {
  const { group, version, kind, plural, columns, shortNames } = declaration;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(declaration.labels ? { labels: declaration.labels } : {}),
    },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames ? { shortNames } : {}),
      },
      scope: declaration.scope ?? 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          ...(declaration.statusSubresource
            ? { subresources: { status: {} } }
            : {}),
          ...(columns ? { additionalPrinterColumns: columns } : {}),
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                apiVersion: STRING,
                kind: STRING,
                metadata: { type: 'object' },
                ...declaration.properties,
              },
              ...(declaration.required
                ? { required: declaration.required }
                : {}),
            },
          },
        },
      ],
    },
  };
}
