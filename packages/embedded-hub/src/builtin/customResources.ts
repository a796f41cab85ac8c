import { apiVersionOf, JsonObject } from 'apimachinery';
import { FieldError, fieldInvalid, fieldRequired } from '../api/fieldErrors';
import { KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { ruleErrors } from '../schema/celRules';
import { createObjectSchema } from '../schema/objectSchema';
import { StructuralSchema } from '../schema/structuralSchema';
import {
  ColumnDeclaration,
  CREATED_AT_COLUMN,
  customColumns,
  NAME_COLUMN,
} from '../table/columns';
import { ALL_VERBS, builtInResource } from './coreResources';
import { manifestWorkAdmission } from './manifestWorkAdmission';

export const CRD_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';
export const CRD_COLLECTION = 'apiextensions.k8s.io/customresourcedefinitions';

interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
  readonly subresources?: { readonly status?: object };
  readonly additionalPrinterColumns?: readonly ColumnDeclaration[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

interface CrdNames {
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** The part of a CustomResourceDefinition's spec that the server uses. */
export interface CrdSpec {
  readonly group: string;
  readonly names: CrdNames;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly CrdVersion[];
}

export function specOf(crd: KubernetesObject): CrdSpec {
  return crd.spec as CrdSpec;
}

/** The served versions of a custom resource. @throws Error when a column cannot be compiled. */
export function customResourcesOf(crd: KubernetesObject): ResourceDefinition[] {
  const { group, names, scope, versions } = specOf(crd);
  const storage = versions.find(version => version.storage) ?? versions[0];
  return versions
    .filter(version => version.served)
    .map(version => ({
      group,
      version: version.name,
      kind: names.kind,
      listKind: names.listKind ?? `${names.kind}List`,
      plural: names.plural,
      singular: names.singular ?? names.kind.toLowerCase(),
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
      namespaced: scope === 'Namespaced',
      verbs: ALL_VERBS,
      hasStatus: version.subresources?.status !== undefined,
      hasGeneration: true,
      custom: true,
      columns: customColumns(version.additionalPrinterColumns),
      schema: createObjectSchema(version.schema?.openAPIV3Schema ?? {}),
      selectableFields: (version.selectableFields ?? []).map(field =>
        field.jsonPath.replace(/^\./, ''),
      ),
      unconditionalUpdate: false,
      createOnUpdate: false,
      storageApiVersion: apiVersionOf({ group, version: storage.name }),
      deprecationWarning: version.deprecated
        ? (version.deprecationWarning ??
          `${group}/${version.name} ${names.kind} is deprecated`)
        : undefined,
      admit: manifestWorkAdmission(group, names.kind),
    }));
}

function versionErrors(spec: CrdSpec): FieldError[] {
  const errors: FieldError[] = [];
  const stored = spec.versions.filter(version => version.storage);
  if (stored.length !== 1) {
    errors.push(
      fieldInvalid(
        'spec.versions',
        spec.versions.map(version => version.name),
        'must have exactly one version marked as storage version',
      ),
    );
  }
  spec.versions.forEach((version, index) => {
    const field = `spec.versions[${index}].schema.openAPIV3Schema`;
    const schema = version.schema?.openAPIV3Schema;
    if (!schema) {
      errors.push(fieldRequired(field, 'schemas are required'));
      return;
    }
    if (schema.type !== 'object') {
      errors.push(
        schema.type
          ? fieldInvalid(
              `${field}.type`,
              schema.type,
              'must be object at the root',
            )
          : fieldRequired(`${field}.type`, 'must not be empty at the root'),
      );
    }
    // Kubernetes converts the schema of a single version to the old top-level field, and its errors name that field.
    errors.push(
      ...ruleErrors(
        schema,
        spec.versions.length === 1 ? 'spec.validation.openAPIV3Schema' : field,
      ),
    );
    try {
      customColumns(version.additionalPrinterColumns);
    } catch (error) {
      errors.push(
        fieldInvalid(
          `spec.versions[${index}].additionalPrinterColumns`,
          version.additionalPrinterColumns,
          String(error),
        ),
      );
    }
  });
  return errors;
}

function crdErrors(crd: KubernetesObject): FieldError[] {
  const spec = specOf(crd);
  const errors: FieldError[] = [];
  const expected = `${spec.names?.plural}.${spec.group}`;
  if (crd.metadata.name !== expected) {
    errors.push(
      fieldInvalid(
        'metadata.name',
        crd.metadata.name,
        'must be spec.names.plural+"."+spec.group',
      ),
    );
  }
  if (!spec.group?.includes('.')) {
    errors.push(
      fieldInvalid(
        'spec.group',
        spec.group,
        'should be a domain with at least one dot',
      ),
    );
  }
  return [...errors, ...versionErrors(spec)];
}

function completeNames(crd: KubernetesObject): void {
  const spec = crd.spec as JsonObject & { names?: JsonObject };
  const kind = String(spec?.names?.kind ?? '');
  if (spec?.names) {
    spec.names = {
      singular: kind.toLowerCase(),
      listKind: `${kind}List`,
      ...spec.names,
    };
  }
  if (spec) {
    spec.conversion ??= { strategy: 'None' };
  }
}

function establish(crd: KubernetesObject): void {
  completeNames(crd);
  const { names, versions } = specOf(crd) ?? {};
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    reason,
    message,
    lastTransitionTime: crd.metadata.creationTimestamp,
  });
  crd.metadata.finalizers = [
    ...new Set([...(crd.metadata.finalizers ?? []), CRD_FINALIZER]),
  ];
  crd.status = {
    acceptedNames: names,
    storedVersions: versions
      ?.filter(version => version.storage)
      .map(version => version.name),
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition(
        'Established',
        'InitialNamesAccepted',
        'the initial names have been accepted',
      ),
    ],
  };
}

const NAMES_SCHEMA: StructuralSchema = {
  type: 'object',
  required: ['kind', 'plural'],
  properties: {
    kind: { type: 'string' },
    plural: { type: 'string' },
    singular: { type: 'string' },
    listKind: { type: 'string' },
    shortNames: { type: 'array', items: { type: 'string' } },
    categories: { type: 'array', items: { type: 'string' } },
  },
};

/** `customresourcedefinitions`, which define all other resources of the hub. */
export const CRD_RESOURCE = builtInResource({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  hasStatus: true,
  hasGeneration: true,
  unconditionalUpdate: false,
  columns: [NAME_COLUMN, CREATED_AT_COLUMN],
  schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['group', 'names', 'scope', 'versions'],
        properties: {
          group: { type: 'string' },
          names: NAMES_SCHEMA,
          scope: { type: 'string', enum: ['Namespaced', 'Cluster'] },
          conversion: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
          },
          preserveUnknownFields: { type: 'boolean' },
          versions: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              required: ['name', 'served', 'storage'],
              'x-kubernetes-preserve-unknown-fields': true,
              properties: {
                name: { type: 'string' },
                served: { type: 'boolean' },
                storage: { type: 'boolean' },
              },
            },
          },
        },
      },
      status: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: {
          conditions: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            items: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
        },
      },
    },
  },
  prepareForCreate: establish,
  prepareForUpdate: completeNames,
  validate(crd) {
    const spec = crd.spec as Partial<CrdSpec> | undefined;
    return spec?.group && spec.names && Array.isArray(spec.versions)
      ? crdErrors(crd)
      : [];
  },
});
