import { z } from 'zod';

import { strict } from './strictObject';

const pauseDuration = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d+[smh]?$/, 'must be seconds, or a duration such as 30s, 5m, 1h'),
]);

const canaryStep = strict({
  setWeight: z.int().min(0).max(100).optional(),
  pause: strict({ duration: pauseDuration.optional() }).optional(),
}).refine(
  ({ setWeight, pause }) => (setWeight === undefined) !== (pause === undefined),
  { error: 'needs exactly one of setWeight, pause' },
);

/** Replicas and update strategy of an Argo Rollouts Rollout. */
export const rolloutSpec = strict({
  replicas: z.int().min(1).default(3),
  canary: strict({ steps: z.array(canaryStep).default([]) }).optional(),
  blueGreen: strict({
    autoPromotionEnabled: z.boolean().default(true),
    autoPromotionSeconds: z.int().min(1).optional(),
  }).optional(),
}).refine(
  ({ canary, blueGreen }) =>
    (canary === undefined) !== (blueGreen === undefined),
  { error: 'needs exactly one of canary, blueGreen' },
);

export type RolloutSpec = z.output<typeof rolloutSpec>;
