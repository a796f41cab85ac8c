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

/** Which requests a fault is for: all that fit every field given. */
const matcher = z.strictObject({
  /** Kubernetes' verb, one or several. */
  verb: oneOrMore(z.enum(VERBS)).optional(),
  /** API group, `''` for the core group. */
  group: oneOrMore(z.string()).optional(),
  /** Plural, with the subresource if it is meant: `manifestworks`, `manifestworks/status`. */
  resource: oneOrMore(z.string()).optional(),
  namespace: oneOrMore(z.string()).optional(),
  name: oneOrMore(z.string()).optional(),
  /** A part of the User-Agent header. */
  userAgent: oneOrMore(z.string().min(1)).optional(),
});

const common = {
  match: matcher.default({}),
  /** Share of the matching requests that it hits, from 0 to 1; default all. */
  probability: z.number().min(0).max(1).default(1),
  /** Hits after which it is spent; default never. */
  count: z.int().min(1).optional(),
};

const milliseconds = z.number().min(0).max(3_600_000);
const retryAfterSeconds = z.int().min(1).max(3600);

/** Every fault that there is; what is not given has the default said here. */
export const faultSchema = z.discriminatedUnion('type', [
  /** The request waits, then goes on; several of them add up. */
  z.strictObject({
    type: z.literal('latency'),
    ...common,
    milliseconds,
    /** Up to this much more, differently each time. */
    jitterMilliseconds: milliseconds.default(0),
  }),
  /** 409 Conflict to update, patch and delete, as if somebody else had been faster. */
  z.strictObject({ type: z.literal('conflict'), ...common }),
  /** 429 with Retry-After. */
  z.strictObject({
    type: z.literal('tooManyRequests'),
    ...common,
    retryAfterSeconds: retryAfterSeconds.default(1),
  }),
  /** 403, as RBAC says it. */
  z.strictObject({
    type: z.literal('forbidden'),
    ...common,
    /** Who it says is not allowed. */
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
     * `beforeRequest`: the server never learns of the request. `beforeResponse`: it does what was asked, and the answer is
     * lost. `duringResponse`: half of the answer comes.
     */
    when: z
      .enum(['beforeRequest', 'beforeResponse', 'duringResponse'])
      .default('beforeRequest'),
  }),
  /** A list that is read page by page fails on its nth page. */
  z.strictObject({
    type: z.literal('listPage'),
    ...common,
    /** Which page, from 1. */
    page: z.int().min(1).default(3),
    /** 410 is the continue token that expired. */
    code: z
      .union([z.literal(410), z.literal(500), z.literal(503)])
      .default(500),
  }),
  /**
   * Watches stay open and nothing comes, also those that are open already; when the fault is gone, the silent connections
   * break.
   */
  z.strictObject({ type: z.literal('watchSilence'), ...common }),
  /** A watch whose resourceVersion is too old, told by an event or by the answer itself. */
  z.strictObject({
    type: z.literal('watchExpired'),
    ...common,
    as: z.enum(['event', 'http']).default('event'),
  }),
]);

/** A fault as it is asked for. */
export type Fault = z.input<typeof faultSchema>;

/** A fault with nothing left open. */
export type CompleteFault = z.output<typeof faultSchema>;

export type FaultMatch = z.output<typeof matcher>;

export type FaultOf<T extends CompleteFault['type']> = Extract<
  CompleteFault,
  { type: T }
>;

/** A fault that makes no sense. */
export class FaultError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FaultError';
  }
}

/** Checks a fault and fills in its defaults. @throws FaultError that says what is wrong and where. */
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
