import { z } from 'zod';

import { durationMs } from '../runtime/duration';
import { strict } from './strictObject';

/** Seconds, as a number or as `30s`, `2m`, `1h`, `500ms`. */
export const duration = z
  .union([z.number().min(0), z.string()])
  .transform((value, context) => {
    if (typeof value === 'number') {
      return value;
    }
    const ms = /^\d+(\.\d+)?(ms|s|m|h)$/.test(value)
      ? durationMs(value)
      : undefined;
    if (ms === undefined) {
      context.addIssue({
        code: 'custom',
        message: `${value} is not a duration: write seconds as a number, or 500ms, 30s, 2m, 1h`,
      });
      return z.NEVER;
    }
    return ms / 1000;
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
  /** Continues a paused Rollout; with `full` skips all remaining steps. */
  promote: strict({
    ...rollout.shape,
    full: z.boolean().default(false),
  }).optional(),
  /** Switches faults of the Search endpoint; `refuse: 200` ends a refusal. */
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

/** One action and its time in seconds after the start of the fleet. */
export const timelineEntry = strict({ at: duration, ...actions }).refine(
  ({ at: _at, ...rest }) =>
    Object.values(rest).filter(action => action !== undefined).length === 1,
  {
    error: `needs exactly one of ${Object.keys(actions).join(', ')} beside at`,
  },
);

export type TimelineEntry = z.output<typeof timelineEntry>;
