import { StructuralSchema } from '../schema/structuralSchema';

const STRING: StructuralSchema = { type: 'string' };
const BOOLEAN: StructuralSchema = { type: 'boolean' };
const INTEGER: StructuralSchema = { type: 'integer' };
const TIME: StructuralSchema = { type: 'string', nullable: true };
const STRINGS: StructuralSchema = {
  type: 'array',
  nullable: true,
  items: STRING,
};
const STRING_MAP: StructuralSchema = {
  type: 'object',
  nullable: true,
  additionalProperties: STRING,
};
const BYTES_MAP: StructuralSchema = {
  type: 'object',
  nullable: true,
  additionalProperties: { type: 'string', format: 'byte' },
};

function object(
  properties: { readonly [name: string]: StructuralSchema },
  required?: readonly string[],
): StructuralSchema {
  return { type: 'object', properties, required };
}

const OBJECT_REFERENCE: StructuralSchema = {
  ...object({
    kind: STRING,
    namespace: STRING,
    name: STRING,
    uid: STRING,
    apiVersion: STRING,
    resourceVersion: STRING,
    fieldPath: STRING,
  }),
  'x-kubernetes-map-type': 'atomic',
};

export const NAMESPACE_SCHEMA = object({
  spec: object({ finalizers: STRINGS }),
  status: object({
    phase: STRING,
    conditions: {
      type: 'array',
      nullable: true,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: object({
        type: STRING,
        status: STRING,
        lastTransitionTime: TIME,
        reason: STRING,
        message: STRING,
      }),
    },
  }),
});

export const SECRET_SCHEMA = object({
  immutable: BOOLEAN,
  type: STRING,
  data: BYTES_MAP,
  stringData: STRING_MAP,
});

export const CONFIG_MAP_SCHEMA = object({
  immutable: BOOLEAN,
  data: STRING_MAP,
  binaryData: BYTES_MAP,
});

export const SERVICE_ACCOUNT_SCHEMA = object({
  automountServiceAccountToken: BOOLEAN,
  secrets: {
    type: 'array',
    nullable: true,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: OBJECT_REFERENCE,
  },
  imagePullSecrets: {
    type: 'array',
    nullable: true,
    items: object({ name: STRING }),
  },
});

export const EVENT_SCHEMA = object(
  {
    involvedObject: OBJECT_REFERENCE,
    related: { ...OBJECT_REFERENCE, nullable: true },
    reason: STRING,
    message: STRING,
    source: object({ component: STRING, host: STRING }),
    firstTimestamp: TIME,
    lastTimestamp: TIME,
    eventTime: TIME,
    count: INTEGER,
    type: STRING,
    series: {
      ...object({ count: INTEGER, lastObservedTime: TIME }),
      nullable: true,
    },
    action: STRING,
    reportingComponent: STRING,
    reportingInstance: STRING,
  },
  ['involvedObject'],
);

export const LEASE_SCHEMA = object({
  spec: object({
    holderIdentity: STRING,
    leaseDurationSeconds: { type: 'integer', minimum: 1 },
    acquireTime: TIME,
    renewTime: TIME,
    leaseTransitions: { type: 'integer', minimum: 0 },
    strategy: STRING,
    preferredHolder: STRING,
  }),
});

/** The pod template of a Deployment is not validated. */
export const DEPLOYMENT_SCHEMA = object({
  spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
});

const RULES: StructuralSchema = {
  type: 'array',
  nullable: true,
  items: object(
    {
      verbs: STRINGS,
      apiGroups: STRINGS,
      resources: STRINGS,
      resourceNames: STRINGS,
      nonResourceURLs: STRINGS,
    },
    ['verbs'],
  ),
};

export const ROLE_SCHEMA = object({ rules: RULES });

export const CLUSTER_ROLE_SCHEMA = object({
  rules: RULES,
  aggregationRule: {
    type: 'object',
    nullable: true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
});

export const ROLE_BINDING_SCHEMA = object(
  {
    subjects: {
      type: 'array',
      nullable: true,
      items: object(
        { kind: STRING, apiGroup: STRING, name: STRING, namespace: STRING },
        ['kind', 'name'],
      ),
    },
    roleRef: {
      ...object({ apiGroup: STRING, kind: STRING, name: STRING }, [
        'kind',
        'name',
      ]),
      'x-kubernetes-map-type': 'atomic',
    },
  },
  ['roleRef'],
);

export const ACCESS_REVIEW_SCHEMA = object({
  spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
});
