import { isJsonObject, JsonObject } from 'apimachinery';
import { goTypeOf } from '../api/goDecoding';
import {
  FieldError,
  fieldInvalid,
  fieldNotSupported,
} from '../api/fieldErrors';
import { badRequest, invalidOptions } from '../api/statusErrors';
import { managerFromUserAgent } from '../apply/managedFields';
import { DeleteOptions, PropagationPolicy } from '../operations/deleteObject';
import { WriteOptions } from '../operations/hubContext';
import { ListOptions } from '../operations/listObjects';

const FIELD_VALIDATIONS = ['Ignore', 'Warn', 'Strict'] as const;
const POLICIES = ['Foreground', 'Background', 'Orphan'] as const;

/** Kubernetes' limit on the length of a field manager's name, in bytes. */
const MANAGER_LIMIT = 128;

/** A number in the query. @throws ApiError 400 in the words of Go's parser. */
export function parseNumber(
  query: URLSearchParams,
  name: string,
): number | undefined {
  const text = query.get(name);
  if (!text) {
    return undefined;
  }
  if (!/^[-+]?\d+$/.test(text)) {
    throw badRequest(
      `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  return Number(text);
}

function managerErrors(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > MANAGER_LIMIT) {
    return [
      {
        reason: 'FieldValueTooLong',
        field: 'fieldManager',
        detail: `may not be more than ${MANAGER_LIMIT} bytes`,
      },
    ];
  }
  const position = [...manager].findIndex(character =>
    /\p{C}|\p{Zl}|\p{Zp}/u.test(character),
  );
  if (position < 0) {
    return [];
  }
  const code = [...manager][position].codePointAt(0)!;
  return [
    fieldInvalid(
      'fieldManager',
      manager,
      `invalid character U+${code
        .toString(16)
        .toUpperCase()
        .padStart(4, '0')} (at position ${position})`,
    ),
  ];
}

function dryRunOf(values: readonly string[], kind: string): boolean {
  if (values.some(value => value !== 'All')) {
    throw invalidOptions(kind, [fieldNotSupported('dryRun', values, ['All'])]);
  }
  return values.length > 0;
}

/** Options of a create, update or patch. */
export function parseWriteOptions(
  query: URLSearchParams,
  userAgent: string | undefined,
  kind: string,
): WriteOptions {
  const validation = query.get('fieldValidation') || 'Warn';
  const fieldValidation = FIELD_VALIDATIONS.find(
    choice => choice === validation,
  );
  if (!fieldValidation) {
    throw invalidOptions(kind, [
      fieldNotSupported('fieldValidation', validation, [
        '',
        'Ignore',
        'Strict',
        'Warn',
      ]),
    ]);
  }
  const manager = query.get('fieldManager') ?? '';
  const errors = managerErrors(manager);
  if (errors.length > 0) {
    throw invalidOptions(kind, errors);
  }
  return {
    dryRun: dryRunOf(query.getAll('dryRun').filter(Boolean), kind),
    fieldManager: manager || managerFromUserAgent(userAgent),
    fieldValidation,
    warnings: [],
  };
}

function policyOf(value: unknown): PropagationPolicy | undefined {
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  const policy = POLICIES.find(choice => choice === value);
  if (!policy) {
    throw invalidOptions('DeleteOptions', [
      fieldNotSupported('propagationPolicy', value, [...POLICIES, 'nil']),
    ]);
  }
  return policy;
}

/** Options of a delete, from its body, if any, and its query. */
export function parseDeleteOptions(
  query: URLSearchParams,
  body: unknown,
): DeleteOptions {
  if (body !== undefined && !isJsonObject(body)) {
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(body)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const options: JsonObject = body ?? {};
  parseNumber(query, 'gracePeriodSeconds');
  const orphan = options.orphanDependents ?? query.get('orphanDependents');
  const policy = policyOf(
    options.propagationPolicy ?? query.get('propagationPolicy'),
  );
  if (policy && orphan !== undefined && orphan !== null) {
    throw invalidOptions('DeleteOptions', [
      fieldInvalid(
        'propagationPolicy',
        policy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    ]);
  }
  const dryRun = [
    ...((options.dryRun as string[] | undefined) ?? []),
    ...query.getAll('dryRun'),
  ].filter(Boolean);
  return {
    dryRun: dryRunOf(dryRun, 'DeleteOptions'),
    propagationPolicy:
      policy ?? (String(orphan) === 'true' ? 'Orphan' : undefined),
    preconditions: options.preconditions as DeleteOptions['preconditions'],
  };
}

export function parseListOptions(query: URLSearchParams): ListOptions {
  const limit = parseNumber(query, 'limit') ?? 0;
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    limit: Math.max(0, limit),
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    sendInitialEvents: query.has('sendInitialEvents')
      ? ['true', '1'].includes(query.get('sendInitialEvents')!)
      : undefined,
  };
}
