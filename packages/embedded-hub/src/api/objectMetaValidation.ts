import {
  equalJson,
  labelNameProblem,
  labelValueProblem,
  ObjectMeta,
  qualifiedNameProblem,
  subdomainProblem,
} from 'apimachinery';
import {
  FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
} from './fieldErrors';
import { KubernetesObject } from './kubernetesObject';

/** Kubernetes' limit on the keys and values of all annotations together, in bytes. */
const ANNOTATIONS_LIMIT = 256 * 1024;

export const FOREGROUND_FINALIZER = 'foregroundDeletion';
export const ORPHAN_FINALIZER = 'orphan';

function labelErrors(meta: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(meta.labels ?? {})) {
    const keyProblem = qualifiedNameProblem(key, 'a valid label key');
    if (keyProblem) {
      errors.push(fieldInvalid('metadata.labels', key, keyProblem));
    }
    const valueProblem = labelValueProblem(value);
    if (valueProblem) {
      errors.push(fieldInvalid('metadata.labels', value, valueProblem));
    }
  }
  return errors;
}

function annotationErrors(meta: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(meta.annotations ?? {})) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
    const problem = qualifiedNameProblem(key.toLowerCase());
    if (problem) {
      errors.push(fieldInvalid('metadata.annotations', key, problem));
    }
  }
  if (size > ANNOTATIONS_LIMIT) {
    errors.push({
      reason: 'FieldValueTooLong',
      field: 'metadata.annotations',
      detail: `may not be more than ${ANNOTATIONS_LIMIT} bytes`,
    });
  }
  return errors;
}

function ownerReferenceErrors(meta: ObjectMeta): FieldError[] {
  const field = 'metadata.ownerReferences';
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const owner of meta.ownerReferences ?? []) {
    const { apiVersion } = owner;
    if (!apiVersion || apiVersion.split('/').length > 2) {
      errors.push(
        fieldInvalid(
          `${field}.apiVersion`,
          apiVersion ?? '',
          'version must not be empty',
        ),
      );
    }
    if (apiVersion === 'v1' && owner.kind === 'Event') {
      errors.push(
        fieldInvalid(
          field,
          owner,
          '/v1, Kind=Event is disallowed from being an owner',
        ),
      );
    }
    for (const member of ['kind', 'name', 'uid'] as const) {
      if (!owner[member]) {
        errors.push(
          fieldInvalid(`${field}.${member}`, '', 'must not be empty'),
        );
      }
    }
    if (owner.controller) {
      const found = `${owner.kind}/${owner.name}`;
      if (controller) {
        errors.push(
          fieldInvalid(
            field,
            meta.ownerReferences,
            `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${found}`,
          ),
        );
      }
      controller = found;
    }
  }
  return errors;
}

function finalizerErrors(meta: ObjectMeta): FieldError[] {
  const field = 'metadata.finalizers';
  const finalizers = meta.finalizers ?? [];
  const errors: FieldError[] = [];
  for (const finalizer of finalizers) {
    const problem = qualifiedNameProblem(finalizer);
    if (problem) {
      errors.push(fieldInvalid(field, finalizer, problem));
    }
  }
  if (
    finalizers.includes(ORPHAN_FINALIZER) &&
    finalizers.includes(FOREGROUND_FINALIZER)
  ) {
    errors.push(
      fieldInvalid(
        field,
        finalizers,
        'finalizer orphan and foregroundDeletion cannot be both set',
      ),
    );
  }
  return errors;
}

/** Kubernetes' own finalizers, the only ones that objects of built-in kinds may have without a domain. */
const STANDARD_FINALIZERS = [
  'kubernetes',
  ORPHAN_FINALIZER,
  FOREGROUND_FINALIZER,
];

function finalizerDomainErrors(meta: ObjectMeta): FieldError[] {
  return (meta.finalizers ?? []).flatMap((finalizer, index) =>
    finalizer.includes('/') || STANDARD_FINALIZERS.includes(finalizer)
      ? []
      : [
          fieldInvalid(
            `metadata.finalizers[${index}]`,
            finalizer,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
}

/** Validates the metadata of any object, also of one that is embedded in another; `prefix` is the path to it. */
export function commonMetaErrors(meta: ObjectMeta, prefix = ''): FieldError[] {
  return [
    ...labelErrors(meta),
    ...annotationErrors(meta),
    ...ownerReferenceErrors(meta),
    ...finalizerErrors(meta),
  ].map(error => ({ ...error, field: `${prefix}${error.field}` }));
}

/** The part of a resource's definition that the rules for its metadata depend on. */
interface MetadataRules {
  readonly group: string;
  readonly namespaced: boolean;
  readonly custom: boolean;
  nameProblem?(name: string): string | undefined;
}

/** Validates the metadata of an object before it is stored. */
export function objectMetaErrors(
  resource: MetadataRules,
  meta: ObjectMeta,
): FieldError[] {
  const nameProblem = resource.nameProblem ?? subdomainProblem;
  const errors: FieldError[] = [];
  if (meta.generateName) {
    // The generated suffix may follow a dash.
    const problem = nameProblem(meta.generateName.replace(/-$/, 'a'));
    if (problem) {
      errors.push(
        fieldInvalid('metadata.generateName', meta.generateName, problem),
      );
    }
  }
  if (!meta.name) {
    errors.push(
      fieldRequired('metadata.name', 'name or generateName is required'),
    );
  } else {
    const problem = nameProblem(meta.name);
    if (problem) {
      errors.push(fieldInvalid('metadata.name', meta.name, problem));
    }
  }
  if (resource.namespaced) {
    const problem = labelNameProblem(meta.namespace ?? '');
    if (problem) {
      errors.push(fieldInvalid('metadata.namespace', meta.namespace, problem));
    }
  } else if (meta.namespace) {
    errors.push(
      fieldForbidden('metadata.namespace', 'not allowed on this type'),
    );
  }
  return errors.concat(
    commonMetaErrors(meta),
    // CustomResourceDefinitions and custom resources accept finalizers without a domain.
    resource.custom || resource.group === 'apiextensions.k8s.io'
      ? []
      : finalizerDomainErrors(meta),
  );
}

/** Validates the changes that an update makes to the metadata. */
export function objectMetaUpdateErrors(
  object: KubernetesObject,
  old: KubernetesObject,
): FieldError[] {
  const errors: FieldError[] = [];
  if (old.metadata.deletionTimestamp) {
    const known = new Set(old.metadata.finalizers ?? []);
    const added = (object.metadata.finalizers ?? []).filter(
      finalizer => !known.has(finalizer),
    );
    if (added.length > 0) {
      const found = added.map(name => JSON.stringify(name)).join(', ');
      errors.push(
        fieldForbidden(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${found}}`,
        ),
      );
    }
  }
  for (const member of ['name', 'namespace', 'uid'] as const) {
    if (!equalJson(object.metadata[member], old.metadata[member])) {
      errors.push(
        fieldInvalid(
          `metadata.${member}`,
          object.metadata[member],
          'field is immutable',
        ),
      );
    }
  }
  return errors;
}
