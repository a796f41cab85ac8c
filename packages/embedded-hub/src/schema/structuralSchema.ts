/** A CEL rule of a schema node (`x-kubernetes-validations`). */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The subset of OpenAPI in which a CustomResourceDefinition's schema is written. */
export interface StructuralSchema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: { readonly [name: string]: StructuralSchema };
  readonly additionalProperties?: boolean | StructuralSchema;
  readonly items?: StructuralSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly uniqueItems?: boolean;
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

const STRING: StructuralSchema = { type: 'string' };
const STRING_MAP: StructuralSchema = {
  type: 'object',
  additionalProperties: STRING,
};

/** `metav1.ObjectMeta`, the same in every resource. */
export const OBJECT_META_SCHEMA: StructuralSchema = {
  type: 'object',
  properties: {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    selfLink: STRING,
    uid: STRING,
    resourceVersion: STRING,
    generation: { type: 'integer' },
    creationTimestamp: { type: 'string', nullable: true },
    deletionTimestamp: { type: 'string', nullable: true },
    deletionGracePeriodSeconds: { type: 'integer', nullable: true },
    labels: { ...STRING_MAP, nullable: true },
    annotations: { ...STRING_MAP, nullable: true },
    ownerReferences: {
      type: 'array',
      nullable: true,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      items: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: {
          apiVersion: STRING,
          kind: STRING,
          name: STRING,
          uid: STRING,
          controller: { type: 'boolean' },
          blockOwnerDeletion: { type: 'boolean' },
        },
      },
    },
    finalizers: {
      type: 'array',
      nullable: true,
      'x-kubernetes-list-type': 'set',
      items: STRING,
    },
    managedFields: {
      type: 'array',
      nullable: true,
      items: {
        type: 'object',
        properties: {
          manager: STRING,
          operation: STRING,
          apiVersion: STRING,
          time: STRING,
          fieldsType: STRING,
          fieldsV1: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
          },
          subresource: STRING,
        },
      },
    },
  },
};

/** Adds the fields that the server itself defines to the schema of a whole object. */
export function withObjectFields(schema: StructuralSchema): StructuralSchema {
  return {
    ...schema,
    type: 'object',
    properties: {
      ...schema.properties,
      apiVersion: STRING,
      kind: STRING,
      metadata: OBJECT_META_SCHEMA,
    },
  };
}

/** The schema of one member of an object, undefined when it is not specified. */
export function memberSchema(
  schema: StructuralSchema | undefined,
  name: string,
): StructuralSchema | undefined {
  const declared = schema?.properties?.[name];
  if (declared) {
    return declared;
  }
  const additional = schema?.additionalProperties;
  if (typeof additional === 'object') {
    return additional;
  }
  if (schema?.['x-kubernetes-embedded-resource'] && name === 'metadata') {
    return OBJECT_META_SCHEMA;
  }
  return undefined;
}

/**
 * A function that tests whether a condition holds for a schema or any schema below it. Results are cached: most
 * branches need no walk.
 */
export function anySchema(
  condition: (schema: StructuralSchema) => boolean,
): (schema: StructuralSchema) => boolean {
  const results = new WeakMap<StructuralSchema, boolean>();
  const holds = (schema: StructuralSchema): boolean => {
    let result = results.get(schema);
    if (result === undefined) {
      result =
        condition(schema) ||
        (schema.items !== undefined && holds(schema.items)) ||
        (typeof schema.additionalProperties === 'object' &&
          holds(schema.additionalProperties)) ||
        Object.values(schema.properties ?? {}).some(holds);
      results.set(schema, result);
    }
    return result;
  };
  return holds;
}
