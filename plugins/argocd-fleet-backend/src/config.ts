import {
  readSchedulerServiceTaskScheduleDefinitionFromConfig,
  type RootConfigService,
  type SchedulerServiceTaskScheduleDefinition,
} from '@backstage/backend-plugin-api';
import { readDurationFromConfig } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { durationToMilliseconds } from '@backstage/types';
import { Duration } from 'luxon';
import { z } from 'zod';
import {
  REQUEST_GRACE_MS,
  type ControllerMode,
  type ControllerTiming,
} from './controllers';
import type { HubAccess } from './hub';
import { DIGEST_LENGTH, type PropagationOptions } from './model';

/** One configured hub. */
export interface HubConfig {
  readonly name: string;
  readonly access: HubAccess;
}

/** Names of the controllers, as they stand in the configuration. */
export const CONTROLLER_NAMES = ['propagation', 'aggregation'] as const;
export type ControllerName = (typeof CONTROLLER_NAMES)[number];

/** How one controller runs. */
export interface ControllerConfig {
  readonly mode: ControllerMode;
  readonly schedule: SchedulerServiceTaskScheduleDefinition;
  readonly timing: ControllerTiming;
}

/** The plugin's configuration, complete and checked. */
export interface FleetConfig {
  readonly hubs: readonly HubConfig[];
  readonly controllers: Readonly<Record<ControllerName, ControllerConfig>>;
  readonly propagation: PropagationOptions;
}

const ROOT = 'argocdFleet';

/** Looked up often, so that a run follows the one before it at once; see the README about take-over. */
const DEFAULT_SCHEDULE: SchedulerServiceTaskScheduleDefinition = {
  frequency: { seconds: 1 },
  timeout: { seconds: 60 },
  scope: 'global',
};
const DEFAULT_TIMING: ControllerTiming = {
  fullPassEveryMs: 10_000,
  runWindowMs: 50_000,
};

const hubSchema = z
  .strictObject({
    name: z
      .string()
      .max(63)
      .regex(
        /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
        'must be lower case letters, digits and hyphens, as it stands in annotations and addresses',
      ),
    kubeconfig: z
      .strictObject({
        path: z.string().min(1),
        context: z.string().min(1).optional(),
      })
      .optional(),
    inCluster: z.literal(true).optional(),
  })
  .refine(
    hub => Boolean(hub.kubeconfig) !== Boolean(hub.inCluster),
    'must have either kubeconfig: { path, context? } or inCluster: true',
  );

const duration = z.union([
  z.string(),
  z.record(z.string(), z.union([z.number(), z.string()])),
]);
const controllerSchema = z.strictObject({
  mode: z.enum(['manage', 'observe', 'off']).default('manage'),
  schedule: z.unknown().optional(),
  fullPassEvery: duration.optional(),
  runWindow: duration.optional(),
});

/** Other parts of the suite keep their configuration under the same key, so unknown keys are only refused further down. */
const schema = z.object({
  hubs: z
    .array(hubSchema)
    .default([])
    .refine(
      hubs => new Set(hubs.map(({ name }) => name)).size === hubs.length,
      'must not have two hubs of the same name',
    ),
  controllers: z
    .strictObject({
      propagation: controllerSchema.prefault({}),
      aggregation: controllerSchema.prefault({}),
    })
    .prefault({}),
  propagation: z
    .strictObject({
      allowLocalCluster: z.boolean().default(false),
      requireDecision: z.boolean().default(true),
      conditionRules: z.boolean().default(true),
      watch: z.boolean().default(true),
      digestLength: z
        .int()
        .min(DIGEST_LENGTH.min)
        .max(DIGEST_LENGTH.max)
        .default(DIGEST_LENGTH.default),
    })
    .prefault({}),
});

/**
 * Reads the configuration.
 * @throws InputError that names every key that is wrong and what is allowed there
 */
export function readFleetConfig(config: RootConfigService): FleetConfig {
  const parsed = schema.safeParse(config.getOptional(ROOT) ?? {});
  if (!parsed.success) {
    throw new InputError(
      `Invalid configuration of Argo CD Fleet:\n${parsed.error.issues
        .map(issue => `- ${keyOf(issue.path)}: ${issue.message}`)
        .join('\n')}`,
    );
  }
  const { hubs, controllers, propagation } = parsed.data;
  return {
    hubs: hubs.map(({ name, kubeconfig }) => ({
      name,
      access: kubeconfig ? { kubeconfig } : { inCluster: true },
    })),
    controllers: {
      propagation: readController(config, 'propagation', controllers),
      aggregation: readController(config, 'aggregation', controllers),
    },
    propagation,
  };
}

function readController(
  config: RootConfigService,
  name: ControllerName,
  controllers: z.infer<typeof schema>['controllers'],
): ControllerConfig {
  const key = `${ROOT}.controllers.${name}`;
  const schedule = config.has(`${key}.schedule`)
    ? readSchedulerServiceTaskScheduleDefinitionFromConfig(
        config.getConfig(`${key}.schedule`),
      )
    : DEFAULT_SCHEDULE;
  if (schedule.scope === 'local') {
    throw new InputError(
      `Invalid configuration of Argo CD Fleet:\n- ${key}.schedule.scope: must be "global", or be left out: with "local" every replica of the backend would write`,
    );
  }
  const timing = {
    fullPassEveryMs: milliseconds(
      config,
      `${key}.fullPassEvery`,
      DEFAULT_TIMING.fullPassEveryMs,
    ),
    runWindowMs: milliseconds(
      config,
      `${key}.runWindow`,
      DEFAULT_TIMING.runWindowMs,
    ),
  };
  const timeoutMs = Duration.isDuration(schedule.timeout)
    ? schedule.timeout.toMillis()
    : durationToMilliseconds(schedule.timeout);
  if (timing.runWindowMs + REQUEST_GRACE_MS > timeoutMs) {
    throw new InputError(
      `Invalid configuration of Argo CD Fleet:\n- ${key}.runWindow: must be at least ${REQUEST_GRACE_MS / 1000} s shorter than ${key}.schedule.timeout (now ${timeoutMs / 1000} s), so that no write outlives the task's claim`,
    );
  }
  return { mode: controllers[name].mode, schedule, timing };
}

function milliseconds(
  config: RootConfigService,
  key: string,
  fallback: number,
): number {
  if (!config.has(key)) {
    return fallback;
  }
  const ms = durationToMilliseconds(readDurationFromConfig(config, { key }));
  if (ms <= 0) {
    throw new InputError(
      `Invalid configuration of Argo CD Fleet:\n- ${key}: must be longer than nothing, for example { seconds: 10 }`,
    );
  }
  return ms;
}

function keyOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (key, part) =>
      typeof part === 'number' ? `${key}[${part}]` : `${key}.${String(part)}`,
    ROOT,
  );
}
