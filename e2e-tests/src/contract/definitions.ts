/** The group of the resources that the suite brings along, so that their schemas are the same on every server. */
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

function version(name: string, storage: boolean, more: object) {
  return {
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        required: ['spec'],
        properties: { spec: SPEC, status: STATUS },
      },
    },
    ...more,
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
    description: 'What it looks like',
  },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

function definition(plural: string, kind: string, spec: object) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: {
        plural,
        kind,
        singular: kind.toLowerCase(),
        listKind: `${kind}List`,
        ...(plural === 'widgets'
          ? { shortNames: ['wdg'], categories: ['contract'] }
          : {}),
      },
      ...spec,
    },
  };
}

export const DEFINITIONS = [
  // Everything that a schema can say, a status of its own, two versions.
  definition('widgets', 'Widget', {
    scope: 'Namespaced',
    versions: [
      version('v1', true, {
        subresources: { status: {} },
        additionalPrinterColumns: COLUMNS,
      }),
      version('v1beta1', false, {
        subresources: { status: {} },
        deprecated: true,
        deprecationWarning: 'use v1, not v1beta1',
      }),
    ],
  }),
  // Of the whole cluster, no status subresource, no columns.
  definition('gadgets', 'Gadget', {
    scope: 'Cluster',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      },
    ],
  }),
];
