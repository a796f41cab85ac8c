import { JsonObject } from 'apimachinery';
import { FieldError, fieldInvalid, fieldRequired } from '../api/fieldErrors';
import { KubernetesObject } from '../api/kubernetesObject';

/** Moves the write-only `stringData` into `data`. */
export function mergeStringData(secret: KubernetesObject): void {
  const stringData = secret.stringData as { [key: string]: string } | undefined;
  if (stringData) {
    const data = { ...(secret.data as object) } as JsonObject;
    for (const [key, value] of Object.entries(stringData)) {
      data[key] = Buffer.from(value).toString('base64');
    }
    secret.data = data;
    delete secret.stringData;
  }
  secret.type ??= 'Opaque';
}

function dataKeyProblem(key: string): string | undefined {
  if (key.length > 253) {
    return 'must be no more than 253 characters';
  }
  return /^[-._a-zA-Z0-9]+$/.test(key) && !/^\.\.?$/.test(key)
    ? undefined
    : "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
}

export function dataKeyErrors(object: KubernetesObject): FieldError[] {
  const { data, binaryData } = object as {
    data?: object;
    binaryData?: object;
  };
  const errors: FieldError[] = [];
  for (const [field, keys] of Object.entries({
    data: Object.keys(data ?? {}),
    binaryData: Object.keys(binaryData ?? {}),
  })) {
    for (const key of keys) {
      const problem = dataKeyProblem(key);
      if (problem) {
        errors.push(fieldInvalid(`${field}[${key}]`, key, problem));
      }
    }
  }
  for (const key of Object.keys(data ?? {})) {
    if (binaryData && key in binaryData) {
      errors.push(
        fieldInvalid(
          `data[${key}]`,
          key,
          'duplicate of key present in binaryData',
        ),
      );
    }
  }
  return errors;
}

/** Kubernetes' limit on all values of a ConfigMap or Secret together, in bytes. */
const DATA_LIMIT = 1024 * 1024;

export function valueSize(values: unknown, encoding: BufferEncoding): number {
  return Object.values((values as { [key: string]: string }) ?? {}).reduce(
    (sum, value) => sum + Buffer.byteLength(value, encoding),
    0,
  );
}

/** The error for too much data; `field` is empty for a ConfigMap, as in Kubernetes. */
export function dataSizeErrors(size: number, field: string): FieldError[] {
  return size > DATA_LIMIT
    ? [
        {
          reason: 'FieldValueTooLong',
          field,
          detail: `may not be more than ${DATA_LIMIT} bytes`,
        },
      ]
    : [];
}

/** Keys that a Secret of a type must have; basic-auth needs only one of its two. */
const SECRET_KEYS: { readonly [type: string]: readonly string[] } = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/basic-auth': ['username', 'password'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

export function secretTypeErrors(secret: KubernetesObject): FieldError[] {
  const data = (secret.data as object | undefined) ?? {};
  const type = String(secret.type);
  const missing = (SECRET_KEYS[type] ?? []).filter(key => !(key in data));
  if (type === 'kubernetes.io/basic-auth' && missing.length < 2) {
    return [];
  }
  return missing.map(key => fieldRequired(`data[${key}]`));
}

export function immutabilityErrors(
  object: KubernetesObject,
  old: KubernetesObject | undefined,
): FieldError[] {
  if (!old?.immutable) {
    return [];
  }
  const changed = ['immutable', 'data', 'binaryData'].filter(
    field => JSON.stringify(object[field]) !== JSON.stringify(old[field]),
  );
  return changed.map(field => ({
    reason: 'FieldValueForbidden' as const,
    field,
    detail: 'field is immutable when `immutable` is set',
  }));
}
