import { randomUUID } from 'node:crypto';
import {
  apiVersionOf,
  JsonObject,
  labelNameProblem,
  pathSegmentProblem,
} from 'apimachinery';
import { NonResourceAttributes, ResourceAttributes } from '../api/access';
import { FieldError, fieldInvalid } from '../api/fieldErrors';
import { KubernetesObject } from '../api/kubernetesObject';
import {
  PrinterColumn,
  ResourceDefinition,
} from '../resources/resourceDefinition';
import { createObjectSchema } from '../schema/objectSchema';
import { StructuralSchema } from '../schema/structuralSchema';
import { AGE_COLUMN, CREATED_AT_COLUMN, NAME_COLUMN } from '../table/columns';
import { age } from '../table/humanDuration';
import {
  dataKeyErrors,
  dataSizeErrors,
  immutabilityErrors,
  mergeStringData,
  secretTypeErrors,
  valueSize,
} from './configData';
import {
  ACCESS_REVIEW_SCHEMA,
  CLUSTER_ROLE_SCHEMA,
  CONFIG_MAP_SCHEMA,
  DEPLOYMENT_SCHEMA,
  EVENT_SCHEMA,
  LEASE_SCHEMA,
  NAMESPACE_SCHEMA,
  ROLE_BINDING_SCHEMA,
  ROLE_SCHEMA,
  SECRET_SCHEMA,
  SERVICE_ACCOUNT_SCHEMA,
} from './coreSchemas';

export const ALL_VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

interface BuiltIn extends Partial<
  Omit<ResourceDefinition, 'group' | 'version' | 'kind' | 'plural' | 'schema'>
> {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly plural: string;
  readonly schema: StructuralSchema;
}

/** Fills in the defaults of a built-in resource's definition. */
export function builtInResource(options: BuiltIn): ResourceDefinition {
  const { group = '', version = 'v1', kind, schema } = options;
  return {
    listKind: `${kind}List`,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: ALL_VERBS,
    hasStatus: false,
    hasGeneration: false,
    custom: false,
    columns: [NAME_COLUMN, AGE_COLUMN],
    selectableFields: [],
    unconditionalUpdate: true,
    createOnUpdate: false,
    storageApiVersion: apiVersionOf({ group, version }),
    ...options,
    group,
    version,
    schema: createObjectSchema(schema),
  };
}

function column(
  name: string,
  cell: (object: KubernetesObject, now: Date) => unknown,
  priority = 0,
): PrinterColumn {
  return { name, type: 'string', priority, cell };
}

function count(value: unknown): number {
  return value && typeof value === 'object' ? Object.keys(value).length : 0;
}

function valueAt(object: KubernetesObject, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (value as JsonObject | undefined)?.[part],
    object,
  );
}

function labelNamespace(namespace: KubernetesObject): void {
  namespace.metadata.labels = {
    ...namespace.metadata.labels,
    'kubernetes.io/metadata.name': namespace.metadata.name!,
  };
}

const namespaces = builtInResource({
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  hasStatus: true,
  verbs: ALL_VERBS.filter(verb => verb !== 'deletecollection'),
  schema: NAMESPACE_SCHEMA,
  nameProblem: labelNameProblem,
  selectableFields: ['status.phase', 'name'],
  columns: [
    NAME_COLUMN,
    column('Status', object => valueAt(object, 'status', 'phase')),
    AGE_COLUMN,
  ],
  prepareForCreate(namespace) {
    const spec = (namespace.spec ?? {}) as { finalizers?: string[] };
    namespace.spec = {
      ...spec,
      finalizers: [...new Set([...(spec.finalizers ?? []), 'kubernetes'])],
    };
    namespace.status = { phase: 'Active' };
    labelNamespace(namespace);
  },
  prepareForUpdate: labelNamespace,
});

const secrets = builtInResource({
  kind: 'Secret',
  plural: 'secrets',
  schema: SECRET_SCHEMA,
  selectableFields: ['type'],
  columns: [
    NAME_COLUMN,
    column('Type', object => object.type),
    column('Data', object => count(object.data)),
    AGE_COLUMN,
  ],
  prepareForCreate: mergeStringData,
  prepareForUpdate: mergeStringData,
  validate: (object, old) => [
    ...dataKeyErrors(object),
    ...dataSizeErrors(valueSize(object.data, 'base64'), 'data'),
    ...secretTypeErrors(object),
    ...immutabilityErrors(object, old),
    ...(old && old.type !== object.type
      ? [fieldInvalid('type', object.type, 'field is immutable')]
      : []),
  ],
});

const configMaps = builtInResource({
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  schema: CONFIG_MAP_SCHEMA,
  columns: [
    NAME_COLUMN,
    column('Data', object => count(object.data) + count(object.binaryData)),
    AGE_COLUMN,
  ],
  validate: (object, old) => [
    ...dataKeyErrors(object),
    ...dataSizeErrors(
      valueSize(object.data, 'utf8') + valueSize(object.binaryData, 'base64'),
      '[]',
    ),
    ...immutabilityErrors(object, old),
  ],
});

const serviceAccounts = builtInResource({
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  schema: SERVICE_ACCOUNT_SCHEMA,
});

function lastSeen(event: KubernetesObject, now: Date): string {
  const time =
    valueAt(event, 'series', 'lastObservedTime') ??
    event.lastTimestamp ??
    event.eventTime ??
    event.firstTimestamp;
  return age(time ?? undefined, now);
}

const EVENT_FIELDS = [
  'involvedObject.kind',
  'involvedObject.namespace',
  'involvedObject.name',
  'involvedObject.uid',
  'involvedObject.apiVersion',
  'involvedObject.resourceVersion',
  'involvedObject.fieldPath',
  'reason',
  'reportingComponent',
  'source',
  'type',
];

const events = builtInResource({
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  schema: EVENT_SCHEMA,
  createOnUpdate: true,
  selectableFields: EVENT_FIELDS,
  columns: [
    column('Last Seen', lastSeen),
    column('Type', object => object.type),
    column('Reason', object => object.reason),
    column(
      'Object',
      object =>
        `${String(valueAt(object, 'involvedObject', 'kind')).toLowerCase()}/${valueAt(
          object,
          'involvedObject',
          'name',
        )}`,
    ),
    column(
      'Subobject',
      object => valueAt(object, 'involvedObject', 'fieldPath') ?? '',
      1,
    ),
    column('Source', object => valueAt(object, 'source', 'component') ?? '', 1),
    column('Message', object => String(object.message ?? '').trim()),
    column('First Seen', (object, now) => age(object.firstTimestamp, now), 1),
    column('Count', object => object.count ?? 1, 1),
    { ...NAME_COLUMN, priority: 1 },
  ],
});

const leases = builtInResource({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
  schema: LEASE_SCHEMA,
  unconditionalUpdate: false,
  createOnUpdate: true,
  columns: [
    NAME_COLUMN,
    column('Holder', object => valueAt(object, 'spec', 'holderIdentity')),
    AGE_COLUMN,
  ],
});

/** Only stored, to show what is installed on a hub; nothing runs. */
const deployments = builtInResource({
  group: 'apps',
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  hasStatus: true,
  hasGeneration: true,
  schema: DEPLOYMENT_SCHEMA,
  columns: [
    NAME_COLUMN,
    column('Ready', object => {
      const ready = valueAt(object, 'status', 'readyReplicas') ?? 0;
      return `${ready}/${valueAt(object, 'spec', 'replicas') ?? 1}`;
    }),
    AGE_COLUMN,
  ],
});

const rbac = {
  group: 'rbac.authorization.k8s.io',
  createOnUpdate: true,
  nameProblem: pathSegmentProblem,
};

const roleRef = column(
  'Role',
  object =>
    `${valueAt(object, 'roleRef', 'kind')}/${valueAt(object, 'roleRef', 'name')}`,
);

/** Columns that name the subjects of a binding, for `kubectl get -o wide`. */
const SUBJECT_COLUMNS = [
  ['Users', 'User'],
  ['Groups', 'Group'],
  ['ServiceAccounts', 'ServiceAccount'],
].map(([name, kind]) =>
  column(
    name,
    object =>
      ((object.subjects ?? []) as JsonObject[])
        .filter(subject => subject.kind === kind)
        .map(subject =>
          kind === 'ServiceAccount'
            ? `${subject.namespace}/${subject.name}`
            : subject.name,
        )
        .join(', '),
    1,
  ),
);

function roleRefErrors(
  object: KubernetesObject,
  old: KubernetesObject | undefined,
): FieldError[] {
  return old && JSON.stringify(old.roleRef) !== JSON.stringify(object.roleRef)
    ? [fieldInvalid('roleRef', object.roleRef, 'cannot change roleRef')]
    : [];
}

const roles = builtInResource({
  ...rbac,
  kind: 'Role',
  plural: 'roles',
  schema: ROLE_SCHEMA,
  columns: [NAME_COLUMN, CREATED_AT_COLUMN],
});

const clusterRoles = builtInResource({
  ...rbac,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
  schema: CLUSTER_ROLE_SCHEMA,
  columns: [NAME_COLUMN, CREATED_AT_COLUMN],
});

const roleBindings = builtInResource({
  ...rbac,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  schema: ROLE_BINDING_SCHEMA,
  validate: roleRefErrors,
  columns: [NAME_COLUMN, roleRef, AGE_COLUMN, ...SUBJECT_COLUMNS],
});

const clusterRoleBindings = builtInResource({
  ...rbac,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
  schema: ROLE_BINDING_SCHEMA,
  validate: roleRefErrors,
  columns: [NAME_COLUMN, roleRef, AGE_COLUMN, ...SUBJECT_COLUMNS],
});

/** The attributes that a review asks about. */
function reviewedAttributes(
  review: KubernetesObject,
): ResourceAttributes | NonResourceAttributes {
  const path = valueAt(review, 'spec', 'nonResourceAttributes');
  const attributes = (path ??
    valueAt(review, 'spec', 'resourceAttributes') ??
    {}) as Readonly<Record<string, string | undefined>>;
  const text = (key: string) => attributes[key] ?? '';
  return path
    ? { verb: text('verb'), path: text('path') }
    : {
        verb: text('verb'),
        group: text('group'),
        resource: text('resource'),
        subresource: text('subresource'),
        namespace: text('namespace'),
        name: text('name'),
      };
}

/** Without authorization every review answers `allowed`. */
const selfSubjectAccessReviews = builtInResource({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
  verbs: ['create'],
  schema: ACCESS_REVIEW_SCHEMA,
  answer: (review, access) => ({
    ...review,
    metadata: { ...review.metadata, uid: randomUUID() },
    status: { allowed: access?.allows(reviewedAttributes(review)) ?? true },
  }),
});

/** The built-in resources of Kubernetes that the fleet uses. */
export const CORE_RESOURCES: readonly ResourceDefinition[] = [
  namespaces,
  secrets,
  configMaps,
  serviceAccounts,
  events,
  leases,
  deployments,
  roles,
  clusterRoles,
  roleBindings,
  clusterRoleBindings,
  selfSubjectAccessReviews,
];
