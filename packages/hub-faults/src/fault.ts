import { z } from 'zod';

const VERBS = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
] as const;

const oneOrMore = <T extends z.ZodType>(value: T) =>
  z.union([value, z.array(value).min(1)]);

/** The requests that a fault applies to: those that have every field given. */
const matcher = z.strictObject({
  /** Kubernetes' verb, one or several. */
  verb: oneOrMore(z.enum(VERBS)).optional(),
  /** API group, `''` for the core group. */
  group: oneOrMore(z.string()).optional(),
  /** Plural, with the subresource if one is meant: `manifestworks`, `manifestworks/status`. */
  resource: oneOrMore(z.string()).optional(),
  namespace: oneOrMore(z.string()).optional(),
  name: oneOrMore(z.string()).optional(),
  /** Substring of the User-Agent header. */
  userAgent: oneOrMore(z.string().min(1)).optional(),
});

const common = {
  match: matcher.default({}),
  /** Share of the matching requests that the fault hits, from 0 to 1; default 1. */
  probability: z.number().min(0).max(1).default(1),
  /** Hits after which the fault has no more effect; default: no limit. */
  count: z.int().min(1).optional(),
};

const milliseconds = z.number().min(0).max(3_600_000);
const retryAfterSeconds = z.int().min(1).max(3600);

/** All types of faults, with the defaults of their fields. */
export const faultSchema = z.discriminatedUnion('type', [
  /** The proxy delays the request; several latencies add up. */
  z.strictObject({
    type: z.literal('latency'),
    ...common,
    milliseconds,
    /** Additional delay, drawn for each request from 0 up to this. */
    jitterMilliseconds: milliseconds.default(0),
  }),
  /** 409 Conflict to update, patch and delete, as if another client had written first. */
  z.strictObject({ type: z.literal('conflict'), ...common }),
  /** 429 with Retry-After. */
  z.strictObject({
    type: z.literal('tooManyRequests'),
    ...common,
    retryAfterSeconds: retryAfterSeconds.default(1),
  }),
  /** 403 Forbidden in RBAC's words. */
  z.strictObject({
    type: z.literal('forbidden'),
    ...common,
    /** User named in the message. */
    user: z.string().default('system:serviceaccount:default:default'),
  }),
  /** 500 InternalError or 503 ServiceUnavailable. */
  z.strictObject({
    type: z.literal('serverError'),
    ...common,
    code: z.union([z.literal(500), z.literal(503)]).default(500),
  }),
  /** The connection breaks. */
  z.strictObject({
    type: z.literal('reset'),
    ...common,
    /**
     * `beforeRequest`: the server never receives the request. `beforeResponse`: the server completes the request, and
     * the response is lost. `duringResponse`: the client receives half of the response.
     */
    when: z
      .enum(['beforeRequest', 'beforeResponse', 'duringResponse'])
      .default('beforeRequest'),
  }),
  /** A paginated list fails on one page. */
  z.strictObject({
    type: z.literal('listPage'),
    ...common,
    /** Which page, from 1. */
    page: z.int().min(1).default(3),
    /** 410: the continue token has expired. */
    code: z
      .union([z.literal(410), z.literal(500), z.literal(503)])
      .default(500),
  }),
  /**
   * Watches stay open and receive no events, including those that are already open. When the fault is removed, the
   * silenced connections break.
   */
  z.strictObject({ type: z.literal('watchSilence'), ...common }),
  /** A watch whose resourceVersion is too old: an `ERROR` event, or an HTTP response, of code 410. */
  z.strictObject({
    type: z.literal('watchExpired'),
    ...common,
    as: z.enum(['event', 'http']).default('event'),
  }),
]);

/** A fault as a caller gives it, with optional fields. */
export type Fault = z.input<typeof faultSchema>;

/** A fault with all defaults filled in. */
export type CompleteFault = z.output<typeof faultSchema>;

export type FaultMatch = z.output<typeof matcher>;

export type FaultOf<T extends CompleteFault['type']> = Extract<
  CompleteFault,
  { type: T }
>;

/** A fault is not valid; the message names each wrong field. */
export class FaultError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FaultError';
  }
}

/** Checks a fault and fills in its defaults. @throws FaultError */
export function parseFault(fault: unknown): CompleteFault {
  const result = faultSchema.safeParse(fault);
  if (result.success) {
    return result.data;
  }
  const problems = result.error.issues.map(issue => {
    if (issue.code === 'invalid_union' && issue.path.at(-1) === 'type') {
      return `type: must be one of ${faultSchema.options
        .map(option => option.shape.type.value)
        .join(', ')}`;
    }
    return issue.path.length > 0
      ? `${issue.path.join('.')}: ${issue.message}`
      : issue.message;
  });
  throw new FaultError(`The fault cannot be used: ${problems.join('; ')}`);
}
