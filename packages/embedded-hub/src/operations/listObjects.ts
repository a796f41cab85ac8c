import {
  FieldError,
  fieldForbidden,
  fieldNotSupported,
} from '../api/fieldErrors';
import { KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import {
  ApiError,
  badRequest,
  expired,
  invalidOptions,
} from '../api/statusErrors';
import { compileFieldSelector, selectedName } from '../selection/fieldSelector';
import { compileLabelSelector } from '../selection/labelSelector';
import { firstFrom, objectKey } from '../store/collection';
import { collectionOf, HubContext } from './hubContext';

export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** Only for watches; a list rejects it. */
  readonly sendInitialEvents?: boolean;
}

export interface ListResult {
  readonly items: readonly KubernetesObject[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

interface ContinueToken {
  /** Revision of the snapshot; -1 to continue with the current objects. */
  readonly rv: number;
  /** Key at which the next page starts. */
  readonly start: string;
}

const EXPIRED_CONTINUE =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function encodeToken(token: ContinueToken): string {
  return Buffer.from(
    JSON.stringify({ v: 'meta.k8s.io/v1', ...token }),
  ).toString('base64url');
}

function decodeToken(text: string): ContinueToken {
  try {
    const token = JSON.parse(
      Buffer.from(text, 'base64url').toString(),
    ) as Partial<ContinueToken>;
    if (typeof token.rv === 'number' && typeof token.start === 'string') {
      return { rv: token.rv, start: token.start };
    }
  } catch {
    // Not a token of this hub: rejected below.
  }
  throw badRequest(
    'invalid continue token: continue key is not valid: encoded data is not readable',
  );
}

/** The selectors of a request as one predicate; undefined when all objects match. */
export function compileSelectors(
  resource: ResourceDefinition,
  selectors: { readonly labelSelector: string; readonly fieldSelector: string },
): ((object: KubernetesObject) => boolean) | undefined {
  const byLabel = compileLabelSelector(selectors.labelSelector);
  const byField = compileFieldSelector(selectors.fieldSelector, resource);
  if (byLabel && byField) {
    return object => byLabel(object) && byField(object);
  }
  return byLabel ?? byField;
}

/** Parses a resourceVersion parameter. @throws ApiError when it is not a number. */
export function parseRevision(text: string): number | undefined {
  if (text === '') {
    return undefined;
  }
  if (!/^\d+$/.test(text)) {
    // As in Kubernetes, this is an error of the storage, not a 400.
    throw new ApiError(500, '', invalidRevision(text));
  }
  return Number(text);
}

function invalidRevision(text: string): string {
  const quoted = JSON.stringify(text);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
}

/** {@link parseRevision} for lists, where Kubernetes answers 400. */
function listRevision(text: string): number | undefined {
  if (text && !/^\d+$/.test(text)) {
    throw badRequest(`invalid resource version: ${invalidRevision(text)}`);
  }
  return parseRevision(text);
}

/** Rejects a revision that the hub has not reached, as a kube-apiserver does whose cache lags behind. */
export function assertRevisionReached(
  context: HubContext,
  revision: number,
): void {
  if (revision > context.store.revision) {
    throw new ApiError(
      504,
      'Timeout',
      `Timeout: Too large resource version: ${revision}, current: ${context.store.revision}`,
      {
        causes: [
          {
            reason: 'ResourceVersionTooLarge',
            message: 'Too large resource version',
          },
        ],
        retryAfterSeconds: 1,
      },
    );
  }
}

function validate(options: ListOptions): void {
  const { resourceVersion, resourceVersionMatch: match } = options;
  const errors: FieldError[] = [];
  const forbid = (why: string) =>
    errors.push(fieldForbidden('resourceVersionMatch', why));
  if (match) {
    if (options.continue) {
      forbid('resourceVersionMatch is forbidden when continue is provided');
    }
    if (!resourceVersion) {
      forbid(
        'resourceVersionMatch is forbidden unless resourceVersion is provided',
      );
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(
        fieldNotSupported('resourceVersionMatch', match, [
          'Exact',
          'NotOlderThan',
          '',
        ]),
      );
    }
    if (match === 'Exact' && resourceVersion === '0') {
      forbid(
        'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      );
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(
      fieldForbidden(
        'sendInitialEvents',
        'sendInitialEvents is forbidden for list',
      ),
    );
  }
  if (errors.length > 0) {
    throw invalidOptions('ListOptions', errors);
  }
}

/** Lists the objects of a resource in one namespace, or in all (`''`); all pages of a list show the same snapshot. */
export function listObjects(
  context: HubContext,
  resource: ResourceDefinition,
  namespace: string,
  options: ListOptions,
): ListResult {
  validate(options);
  const matches = compileSelectors(resource, options);
  const collection = collectionOf(context, resource);
  const current = context.store.revision;
  const token = options.continue ? decodeToken(options.continue) : undefined;
  if (token && options.resourceVersion && options.resourceVersion !== '0') {
    throw badRequest(
      'specifying resource version is not allowed when using continue',
    );
  }
  const requested = listRevision(options.resourceVersion);
  if (requested) {
    assertRevisionReached(context, requested);
  }
  let revision = current;
  if (token && token.rv > 0) {
    revision = token.rv;
  } else if (options.resourceVersionMatch === 'Exact') {
    revision = requested!;
  }
  const scope = namespace || undefined;
  const name = selectedName(options.fieldSelector);
  let objects: readonly KubernetesObject[] | undefined;
  const findable = name !== undefined && (scope || !resource.namespaced);
  if (findable && !token && revision === current) {
    const found = collection.get(namespace, name);
    objects = found ? [found] : [];
  } else if (revision !== current || token || options.limit > 0) {
    objects = collection.listAt(revision, current, scope);
  } else {
    objects = collection.list(scope);
  }
  if (!objects) {
    throw token
      ? expired(EXPIRED_CONTINUE, encodeToken({ ...token, rv: -1 }))
      : expired('The resourceVersion for the provided list is too old.');
  }
  return page(objects, {
    matches,
    limit: options.limit,
    start: token?.start ?? '',
    revision,
  });
}

function page(
  objects: readonly KubernetesObject[],
  request: {
    readonly matches?: (object: KubernetesObject) => boolean;
    readonly limit: number;
    readonly start: string;
    readonly revision: number;
  },
): ListResult {
  const { matches, limit, revision } = request;
  const items: KubernetesObject[] = [];
  const resourceVersion = String(revision);
  let index = request.start ? firstFrom(objects, request.start) : 0;
  for (; index < objects.length; index++) {
    const object = objects[index];
    if (!matches || matches(object)) {
      if (limit > 0 && items.length === limit) {
        break;
      }
      items.push(object);
    }
  }
  if (index >= objects.length) {
    return { items, resourceVersion };
  }
  return {
    items,
    resourceVersion,
    continue: encodeToken({
      rv: revision,
      // The first possible key after the last object of this page.
      start: `${objectKey(items[items.length - 1])}\0`,
    }),
    // Kubernetes sends no count where a selector may exclude objects.
    remainingItemCount: matches ? undefined : objects.length - index,
  };
}
