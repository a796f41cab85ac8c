/** Group of the suite's own definitions, which make the schemas equal on every server. */
export const GROUP = 'contract.argocd-fleet.example';

const STRING = { type: 'string' };

const SPEC = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', minLength: 2, maxLength: 12, pattern: '^[a-z]+$' },
    replicas: { type: 'integer', format: 'int32', default: 1 },
    size: { type: 'integer', minimum: 1, maximum: 10 },
    ratio: { type: 'number', exclusiveMinimum: true, minimum: 0 },
    enabled: { type: 'boolean' },
    color: { type: 'string', enum: ['red', 'green'] },
    port: { 'x-kubernetes-int-or-string': true },
    when: { type: 'string', format: 'date-time' },
    note: { type: 'string', nullable: true },
    nick: { type: 'string', default: 'nick' },
    tags: {
      type: 'array',
      maxItems: 3,
      items: STRING,
      'x-kubernetes-list-type': 'set',
    },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: STRING,
          count: { type: 'integer', default: 1 },
          note: STRING,
        },
      },
    },
    steps: {
      type: 'array',
      items: { type: 'object', properties: { run: STRING } },
    },
    options: {
      type: 'object',
      maxProperties: 2,
      additionalProperties: STRING,
    },
    choice: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { a: STRING, b: STRING },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    template: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    contact: {
      type: 'object',
      properties: { email: STRING, phone: STRING },
      oneOf: [{ required: ['email'] }, { required: ['phone'] }],
    },
    range: {
      type: 'object',
      required: ['from', 'to'],
      properties: { from: { type: 'integer' }, to: { type: 'integer' } },
      'x-kubernetes-validations': [
        { rule: 'self.from <= self.to', message: 'from must not be after to' },
      ],
    },
    owner: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [
        { rule: 'self == oldSelf', message: 'owner is immutable' },
      ],
    },
  },
};

const STATUS = {
  type: 'object',
  properties: {
    phase: STRING,
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        type: 'object',
        required: ['type', 'status'],
        properties: { type: STRING, status: STRING, message: STRING },
      },
    },
  },
};

/** A served version of a definition with this schema; `more` overrides its fields. */
export function versionWithSchema(schema: object, more: object = {}) {
  return {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    ...more,
  };
}

/** A namespaced definition; `spec` adds and overrides fields. */
export function definitionOf(
  group: string,
  plural: string,
  kind: string,
  spec: object,
) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind }, ...spec },
  };
}

const COLUMNS = [
  { name: 'Title', type: 'string', jsonPath: '.spec.title' },
  { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
  {
    name: 'Ready',
    type: 'string',
    jsonPath: '.status.conditions[?(@.type=="Ready")].status',
  },
  {
    name: 'Color',
    type: 'string',
    jsonPath: '.spec.color',
    priority: 1,
    description: 'Color of the widget',
  },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

const WIDGET_SCHEMA = {
  type: 'object',
  required: ['spec'],
  properties: { spec: SPEC, status: STATUS },
};

export const DEFINITIONS = [
  // All schema features that the cases need, a status subresource and two versions.
  definitionOf(GROUP, 'widgets', 'Widget', {
    names: {
      plural: 'widgets',
      kind: 'Widget',
      singular: 'widget',
      listKind: 'WidgetList',
      shortNames: ['wdg'],
      categories: ['contract'],
    },
    versions: [
      versionWithSchema(WIDGET_SCHEMA, {
        subresources: { status: {} },
        additionalPrinterColumns: COLUMNS,
      }),
      versionWithSchema(WIDGET_SCHEMA, {
        name: 'v1beta1',
        storage: false,
        subresources: { status: {} },
        deprecated: true,
        deprecationWarning: 'use v1, not v1beta1',
      }),
    ],
  }),
  // Cluster-scoped, without a status subresource and columns.
  definitionOf(GROUP, 'gadgets', 'Gadget', {
    scope: 'Cluster',
    versions: [
      versionWithSchema({
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
      }),
    ],
  }),
];
