import { isJsonObject, JsonObject } from '../api/kubernetesObject';
import { ApiError, badRequest } from '../api/statusErrors';
import { managerFromUserAgent } from '../apply/managedFields';
import { DeleteOptions, PropagationPolicy } from '../operations/deleteObject';
import { WriteOptions } from '../operations/hubContext';
import { ListOptions } from '../operations/listObjects';

const FIELD_VALIDATIONS = ['Ignore', 'Warn', 'Strict'] as const;
const POLICIES = ['Background', 'Foreground', 'Orphan'] as const;

function refuse(kind: string, detail: string): ApiError {
  return new ApiError(
    422,
    'Invalid',
    `${kind}.meta.k8s.io "" is invalid: ${detail}`,
    { group: 'meta.k8s.io', kind },
  );
}

function quoted(values: readonly string[]): string {
  return values.map(value => JSON.stringify(value)).join(', ');
}

function dryRunOf(values: readonly string[], kind: string): boolean {
  if (values.some(value => value !== 'All')) {
    throw refuse(
      kind,
      `dryRun: Unsupported value: ${JSON.stringify(values)}: supported values: "All"`,
    );
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
    throw refuse(
      kind,
      `fieldValidation: Unsupported value: ${JSON.stringify(
        validation,
      )}: supported values: "", "Ignore", "Strict", "Warn"`,
    );
  }
  const manager = query.get('fieldManager') ?? '';
  if (manager.length > 128) {
    throw refuse(
      kind,
      'fieldManager: Too long: may not be more than 128 bytes',
    );
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
    throw refuse(
      'DeleteOptions',
      `propagationPolicy: Unsupported value: ${JSON.stringify(
        value,
      )}: supported values: ${quoted([...POLICIES, 'nil'])}`,
    );
  }
  return policy;
}

/** Options of a delete, from its body where there is one, and its query. */
export function parseDeleteOptions(
  query: URLSearchParams,
  body: unknown,
): DeleteOptions {
  if (body !== undefined && !isJsonObject(body)) {
    throw badRequest('the body of a delete must be DeleteOptions');
  }
  const options: JsonObject = body ?? {};
  const orphan = options.orphanDependents ?? query.get('orphanDependents');
  const policy = policyOf(
    options.propagationPolicy ?? query.get('propagationPolicy'),
  );
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
  const limit = Number(query.get('limit') ?? 0);
  if (!Number.isInteger(limit)) {
    throw badRequest(
      `limit: Invalid value: ${JSON.stringify(query.get('limit'))}: must be a number`,
    );
  }
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    limit: Math.max(0, limit),
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
  };
}
