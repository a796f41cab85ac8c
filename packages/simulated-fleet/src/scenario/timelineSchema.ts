import { z } from 'zod';

import { strict } from './strictObject';

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
};

/** Seconds, as a number or as `30s`, `2m`, `1h`, `500ms`. */
export const duration = z
  .union([z.number().min(0), z.string()])
  .transform((value, context) => {
    if (typeof value === 'number') {
      return value;
    }
    const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(value) ?? [];
    if (amount === undefined) {
      context.addIssue({
        code: 'custom',
        message: `${value} is no duration: write seconds as a number, or 500ms, 30s, 2m, 1h`,
      });
      return z.NEVER;
    }
    return Number(amount) * UNIT_SECONDS[unit];
  });

const clusters = z.string().min(1);

const rollout = strict({
  cluster: z.string().min(1),
  rollout: z.string().min(1),
  namespace: z.string().optional(),
});

const actions = {
  /** The agents of these clusters cannot reach the hub. */
  offline: clusters.optional(),
  online: clusters.optional(),
  apiServerDown: clusters.optional(),
  apiServerUp: clusters.optional(),
  clockSkew: strict({ cluster: clusters, seconds: z.number() }).optional(),
  /** Lets a paused Rollout go on, to the end when `full`. */
  promote: strict({
    ...rollout.shape,
    full: z.boolean().default(false),
  }).optional(),
  /** Switches troubles of the Search endpoint; `refuse: 200` ends a refusal. */
  search: strict({
    refuse: z.literal([200, 401, 403, 500]).optional(),
    hang: z.boolean().optional(),
    stale: z.boolean().optional(),
    malformed: z.boolean().optional(),
    halfOfBatch: z.boolean().optional(),
  }).optional(),
  abort: rollout.optional(),
  retry: rollout.optional(),
};

/** What happens at a time after the fleet's start. */
export const timelineEntry = strict({ at: duration, ...actions }).refine(
  ({ at: _at, ...rest }) =>
    Object.values(rest).filter(action => action !== undefined).length === 1,
  {
    error: `needs exactly one of ${Object.keys(actions).join(', ')} beside at`,
  },
);

export type TimelineEntry = z.output<typeof timelineEntry>;
