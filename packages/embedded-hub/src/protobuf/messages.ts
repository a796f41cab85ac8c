/** Wire format of one field of a message. */
export type FieldType =
  | 'string'
  | 'bool'
  | 'int'
  /** Bytes; base64 in JSON. */
  | 'bytes'
  /** Bytes that are JSON text. */
  | 'json'
  /** `metav1.Time`; RFC 3339 in JSON. */
  | 'time'
  | 'stringMap'
  | 'bytesMap'
  | Message;

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly repeated?: boolean;
}

/** A message by its field numbers. */
export interface Message {
  readonly [number: number]: Field;
}

function field(name: string, type: FieldType = 'string'): Field {
  return { name, type };
}

function repeated(name: string, type: FieldType = 'string'): Field {
  return { name, type, repeated: true };
}

const OWNER_REFERENCE: Message = {
  1: field('kind'),
  3: field('name'),
  4: field('uid'),
  5: field('apiVersion'),
  6: field('controller', 'bool'),
  7: field('blockOwnerDeletion', 'bool'),
};

const MANAGED_FIELDS_ENTRY: Message = {
  1: field('manager'),
  2: field('operation'),
  3: field('apiVersion'),
  4: field('time', 'time'),
  6: field('fieldsType'),
  7: field('fieldsV1', 'json'),
  8: field('subresource'),
};

const OBJECT_META: Message = {
  1: field('name'),
  2: field('generateName'),
  3: field('namespace'),
  4: field('selfLink'),
  5: field('uid'),
  6: field('resourceVersion'),
  7: field('generation', 'int'),
  8: field('creationTimestamp', 'time'),
  9: field('deletionTimestamp', 'time'),
  10: field('deletionGracePeriodSeconds', 'int'),
  11: field('labels', 'stringMap'),
  12: field('annotations', 'stringMap'),
  13: repeated('ownerReferences', OWNER_REFERENCE),
  14: repeated('finalizers'),
  17: repeated('managedFields', MANAGED_FIELDS_ENTRY),
};

const METADATA = field('metadata', OBJECT_META);

const OBJECT_REFERENCE: Message = {
  1: field('kind'),
  2: field('namespace'),
  3: field('name'),
  4: field('uid'),
  5: field('apiVersion'),
  6: field('resourceVersion'),
  7: field('fieldPath'),
};

const POLICY_RULE: Message = {
  1: repeated('verbs'),
  2: repeated('apiGroups'),
  3: repeated('resources'),
  4: repeated('resourceNames'),
  5: repeated('nonResourceURLs'),
};

const SUBJECT: Message = {
  1: field('kind'),
  2: field('apiGroup'),
  3: field('name'),
  4: field('namespace'),
};

const ROLE_REF: Message = {
  1: field('apiGroup'),
  2: field('kind'),
  3: field('name'),
};

const ROLE: Message = { 1: METADATA, 2: repeated('rules', POLICY_RULE) };

const BINDING: Message = {
  1: METADATA,
  2: repeated('subjects', SUBJECT),
  3: field('roleRef', ROLE_REF),
};

const ACCESS_REVIEW: Message = {
  1: METADATA,
  2: field('spec', {
    1: field('resourceAttributes', {
      1: field('namespace'),
      2: field('verb'),
      3: field('group'),
      4: field('version'),
      5: field('resource'),
      6: field('subresource'),
      7: field('name'),
    }),
    2: field('nonResourceAttributes', { 1: field('path'), 2: field('verb') }),
  }),
};

/**
 * The kinds that typed Go clients, such as `kubectl create namespace`, send as protobuf, by `apiVersion/kind`. Field
 * numbers are those of Kubernetes' published `generated.proto` files.
 */
export const MESSAGES: { readonly [kind: string]: Message } = {
  'v1/Namespace': {
    1: METADATA,
    2: field('spec', { 1: repeated('finalizers') }),
    3: field('status', { 1: field('phase') }),
  },
  'v1/Secret': {
    1: METADATA,
    2: field('data', 'bytesMap'),
    3: field('type'),
    4: field('stringData', 'stringMap'),
    5: field('immutable', 'bool'),
  },
  'v1/ConfigMap': {
    1: METADATA,
    2: field('data', 'stringMap'),
    3: field('binaryData', 'bytesMap'),
    4: field('immutable', 'bool'),
  },
  'v1/ServiceAccount': {
    1: METADATA,
    2: repeated('secrets', OBJECT_REFERENCE),
    3: repeated('imagePullSecrets', { 1: field('name') }),
    4: field('automountServiceAccountToken', 'bool'),
  },
  'coordination.k8s.io/v1/Lease': {
    1: METADATA,
    2: field('spec', {
      1: field('holderIdentity'),
      2: field('leaseDurationSeconds', 'int'),
      3: field('acquireTime', 'time'),
      4: field('renewTime', 'time'),
      5: field('leaseTransitions', 'int'),
      6: field('strategy'),
      7: field('preferredHolder'),
    }),
  },
  'rbac.authorization.k8s.io/v1/Role': ROLE,
  'rbac.authorization.k8s.io/v1/ClusterRole': ROLE,
  'rbac.authorization.k8s.io/v1/RoleBinding': BINDING,
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': BINDING,
  'authorization.k8s.io/v1/SelfSubjectAccessReview': ACCESS_REVIEW,
  'v1/DeleteOptions': {
    1: field('gracePeriodSeconds', 'int'),
    2: field('preconditions', { 1: field('uid'), 2: field('resourceVersion') }),
    3: field('orphanDependents', 'bool'),
    4: field('propagationPolicy'),
    5: repeated('dryRun'),
  },
};
