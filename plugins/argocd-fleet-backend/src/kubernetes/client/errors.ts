/** Kinds of failed requests, by what a caller does about them. */
export type KubernetesErrorKind =
  | 'notFound'
  | 'notServed'
  | 'conflict'
  | 'alreadyExists'
  | 'forbidden'
  | 'unauthorized'
  | 'gone'
  | 'invalid'
  | 'throttled'
  | 'unavailable'
  | 'aborted';

/** The fields of a `Status` object of the Kubernetes API that are read here. */
export interface KubernetesStatus {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly name?: string;
    readonly retryAfterSeconds?: number;
  };
}

/** Seconds. A server that asks for more (a proxy under maintenance) may be back long before. */
const MAX_RETRY_AFTER = 60;

/** A request to an API server that failed. */
export class KubernetesError extends Error {
  readonly name = 'KubernetesError';
  readonly kind: KubernetesErrorKind;
  /** HTTP status; undefined where no answer came. */
  readonly status?: number;
  /** `reason` as the API server words it. */
  readonly reason?: string;
  /** Seconds that the API server asks to wait; no more than {@link MAX_RETRY_AFTER}. */
  readonly retryAfter?: number;
  /** Nothing came within the time for the request: neither the rest of an answer nor the end of the connection. */
  readonly silent: boolean;

  constructor(
    kind: KubernetesErrorKind,
    message: string,
    options: {
      readonly status?: number;
      readonly reason?: string;
      readonly retryAfter?: number;
      readonly silent?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
    this.reason = options.reason;
    this.silent = options.silent ?? false;
    this.retryAfter =
      options.retryAfter === undefined
        ? undefined
        : Math.min(options.retryAfter, MAX_RETRY_AFTER);
  }
}

/** True for a `KubernetesError` of one of the kinds. */
export function isKubernetesError(
  error: unknown,
  ...kinds: KubernetesErrorKind[]
): error is KubernetesError {
  return (
    error instanceof KubernetesError &&
    (kinds.length === 0 || kinds.includes(error.kind))
  );
}

/** Creates the error for a response that is not a success. */
export function errorFromResponse(
  status: number,
  body: string,
  options: {
    /** The request as messages say it: `list deployments.apps`. */
    readonly request: string;
    readonly contentType?: string;
    readonly retryAfterHeader?: string;
  },
): KubernetesError {
  if (status < 400) {
    return new KubernetesError(
      'unavailable',
      `Could not ${options.request}: HTTP ${status}: the server redirects to another address, and no redirect is followed, so that the credentials go nowhere else. Configure the address of the API server itself`,
      { status },
    );
  }
  const parsed = parseStatus(body);
  const detail =
    parsed?.message ?? describeForeign(status, options.contentType);
  const retryAfter =
    parsed?.details?.retryAfterSeconds ??
    parseRetryAfter(options.retryAfterHeader);
  return new KubernetesError(
    kindOf(status, parsed),
    `Could not ${options.request}: ${detail}`,
    { status, reason: parsed?.reason, retryAfter },
  );
}

/** Creates the error for a `Status` object inside a watch. */
export function errorFromStatus(
  status: KubernetesStatus,
  request: string,
): KubernetesError {
  const code = status.code ?? 500;
  return new KubernetesError(
    kindOf(code, status),
    `Could not ${request}: ${status.message ?? status.reason ?? `status ${code}`}`,
    {
      status: code,
      reason: status.reason,
      retryAfter: status.details?.retryAfterSeconds,
    },
  );
}

function kindOf(status: number, parsed: KubernetesStatus | undefined) {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      // An API server names the object that does not exist; it names none where it does not serve the resource.
      return parsed?.details?.name ? 'notFound' : 'notServed';
    case 409:
      return parsed?.reason === 'AlreadyExists' ? 'alreadyExists' : 'conflict';
    case 410:
      return 'gone';
    case 429:
      return 'throttled';
    case 408:
      return 'unavailable';
    default:
      return status >= 500 ? 'unavailable' : 'invalid';
  }
}

function parseStatus(body: string): KubernetesStatus | undefined {
  if (!body.startsWith('{')) {
    return undefined;
  }
  try {
    const parsed: KubernetesStatus = JSON.parse(body);
    return parsed.kind === 'Status' ? parsed : undefined;
  } catch {
    // A proxy answered.
    return undefined;
  }
}

/** Not the text of the answer: a proxy wrote it, or it may be of an object that the reader may not see. */
function describeForeign(status: number, contentType: string | undefined) {
  const [type] = contentType?.split(';') ?? [];
  return `HTTP ${status} without a Kubernetes status${type ? ` (${type.slice(0, 50)})` : ''}`;
}

/** Seconds; the date form of the header is not used by API servers. */
function parseRetryAfter(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return header && Number.isFinite(seconds) && seconds >= 0
    ? seconds
    : undefined;
}
