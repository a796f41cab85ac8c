import {
  readSchedulerServiceTaskScheduleDefinitionFromConfig,
  type RootConfigService,
  type SchedulerServiceTaskScheduleDefinition,
} from '@backstage/backend-plugin-api';
import { readDurationFromConfig } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { durationToMilliseconds } from '@backstage/types';
import { isNamespaceName } from 'backstage-plugin-argocd-fleet-common';
import { Duration } from 'luxon';
import { z } from 'zod';
import { DIGEST_LENGTH, digestExpression } from '../model/feedback';
import {
  DEFAULT_PROPAGATION,
  type PropagationOptions,
} from '../model/manifestwork';
import {
  DEFAULT_CONCURRENCY,
  REQUEST_GRACE_MS,
  type ControllerMode,
  type ControllerTiming,
} from '../runtime';
import { ROUND_TIMEOUTS } from '../sources/search';
import { CONTROLLER_NAMES, type ControllerName } from './controllerNames';
import { hubSchemaFor, modeSchema, readHub, type HubConfig } from './hubConfig';

/** How one controller runs. */
export interface ControllerConfig {
  readonly mode: ControllerMode;
  readonly schedule: SchedulerServiceTaskScheduleDefinition;
  readonly timing: ControllerTiming;
  /** Keys that are worked on at once. */
  readonly concurrency: number;
}

/** The plugin's configuration, complete and checked. */
export interface FleetConfig {
  readonly hubs: readonly HubConfig[];
  readonly controllers: Readonly<Record<ControllerName, ControllerConfig>>;
  readonly propagation: PropagationOptions;
  /** When resource sources are asked; always on one replica at a time. */
  readonly resourceSources: {
    readonly schedule: SchedulerServiceTaskScheduleDefinition;
  };
  /** For how long what happened is kept; milliseconds. */
  readonly keepHistoryMs: number;
}

const ROOT = 'argocdFleet';

/** Looked up often, so that a run follows the one before it at once; see the README about take-over. */
const DEFAULT_SCHEDULE: SchedulerServiceTaskScheduleDefinition = {
  frequency: { seconds: 1 },
  timeout: { seconds: 60 },
  scope: 'global',
};
/** Milliseconds by which our knowledge of when a claim began may be late: its answer has to come from the database first. */
const CLAIM_SLACK_MS = 1_000;
const DEFAULT_TIMING: ControllerTiming = {
  fullPassEveryMs: 10_000,
  runWindowMs: 50_000,
};

/** As often as RHACM asks its own index; 30 s is kinder to a large one. */
const DEFAULT_SOURCES_SCHEDULE: SchedulerServiceTaskScheduleDefinition = {
  frequency: { seconds: 10 },
  timeout: { minutes: 2 },
  scope: 'global',
};
/** As long as whoever asks what happened before a quarter's end looks back. */
const DEFAULT_KEEP_HISTORY_MS = 90 * 24 * 3_600_000;
/** It waits for the database and not for a hub, and is written together: the more at once, the fewer transactions. */
const RESOURCE_SYNC_CONCURRENCY = { max: 1_000, default: 200 };

const duration = z.union([
  z.string(),
  z.record(z.string(), z.union([z.number(), z.string()])),
]);
const controllerSchema = z.strictObject({
  mode: modeSchema.default('manage'),
  schedule: z.unknown().optional(),
  fullPassEvery: duration.optional(),
  runWindow: duration.optional(),
  concurrency: z.int().min(1).max(100).default(DEFAULT_CONCURRENCY),
});
const resourceSyncSchema = controllerSchema.extend({
  concurrency: z
    .int()
    .min(1)
    .max(RESOURCE_SYNC_CONCURRENCY.max)
    .default(RESOURCE_SYNC_CONCURRENCY.default),
});

function flag(
  name: {
    [Name in keyof PropagationOptions]: PropagationOptions[Name] extends boolean
      ? Name
      : never;
  }[keyof PropagationOptions],
) {
  return z.boolean().default(DEFAULT_PROPAGATION[name]);
}

function observed(kind: keyof PropagationOptions['observe']) {
  return z.int().min(0).max(50).default(DEFAULT_PROPAGATION.observe[kind]);
}

/** Other parts of the suite keep their configuration under the same key, so unknown keys are only refused further down. */
const schema = z.object({
  hubs: z
    .array(hubSchemaFor(CONTROLLER_NAMES))
    .default([])
    .refine(
      hubs => new Set(hubs.map(({ name }) => name)).size === hubs.length,
      'must not have two hubs of the same name',
    ),
  controllers: z
    .strictObject({
      clusterImport: controllerSchema.prefault({}),
      propagation: controllerSchema.prefault({}),
      applicationStatus: controllerSchema.prefault({}),
      aggregation: controllerSchema.prefault({}),
      resourceSync: resourceSyncSchema.prefault({}),
    })
    .prefault({}),
  resourceSources: z
    .strictObject({ schedule: z.unknown().optional() })
    .prefault({}),
  history: z.strictObject({ keep: duration.optional() }).prefault({}),
  propagation: z
    .strictObject({
      allowLocalCluster: flag('allowLocalCluster'),
      requireDecision: flag('requireDecision'),
      adoptReadOnly: flag('adoptReadOnly'),
      conditionRules: flag('conditionRules'),
      errorFeedback: flag('errorFeedback'),
      watch: flag('watch'),
      digestLength: z
        .int()
        .min(DIGEST_LENGTH.min)
        .max(DIGEST_LENGTH.max)
        .default(DIGEST_LENGTH.default),
      observe: z
        .strictObject({
          rollouts: observed('rollouts'),
          childApplications: observed('childApplications'),
        })
        .prefault({}),
      includeNamespace: flag('includeNamespace'),
      includeAppProject: flag('includeAppProject'),
      argocdNamespace: z
        .string()
        .refine(isNamespaceName, 'must be the name of a namespace')
        .default(DEFAULT_PROPAGATION.argocdNamespace),
    })
    .transform(({ digestLength, ...options }) => ({
      ...options,
      digestExpression: digestExpression(digestLength),
    }))
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
    hubs: hubs.map((hub, index) =>
      readHub(config, hub, `${ROOT}.hubs[${index}]`),
    ),
    controllers: {
      clusterImport: readController(config, 'clusterImport', controllers),
      propagation: readController(config, 'propagation', controllers),
      applicationStatus: readController(
        config,
        'applicationStatus',
        controllers,
      ),
      aggregation: readController(config, 'aggregation', controllers),
      resourceSync: readController(config, 'resourceSync', controllers),
    },
    propagation,
    resourceSources: { schedule: readSourcesSchedule(config, hubs) },
    keepHistoryMs: milliseconds(
      config,
      `${ROOT}.history.keep`,
      DEFAULT_KEEP_HISTORY_MS,
    ),
  };
}

function readController(
  config: RootConfigService,
  name: ControllerName,
  controllers: z.infer<typeof schema>['controllers'],
): ControllerConfig {
  const key = `${ROOT}.controllers.${name}`;
  const schedule = readSchedule(config, `${key}.schedule`, DEFAULT_SCHEDULE);
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
  const timeoutMs = timeoutOf(schedule);
  const spareMs = REQUEST_GRACE_MS + CLAIM_SLACK_MS;
  if (timing.runWindowMs + spareMs > timeoutMs) {
    throw new InputError(
      `Invalid configuration of Argo CD Fleet:\n- ${key}.runWindow: must be at least ${spareMs / 1000} s shorter than ${key}.schedule.timeout (now ${timeoutMs / 1000} s), so that no write outlives the task's claim`,
    );
  }
  const { mode, concurrency } = controllers[name];
  return { mode, schedule, timing, concurrency };
}

function readSchedule(
  config: RootConfigService,
  key: string,
  fallback: SchedulerServiceTaskScheduleDefinition,
): SchedulerServiceTaskScheduleDefinition {
  const schedule = config.has(key)
    ? readSchedulerServiceTaskScheduleDefinitionFromConfig(
        config.getConfig(key),
      )
    : fallback;
  if (schedule.scope === 'local') {
    throw new InputError(
      `Invalid configuration of Argo CD Fleet:\n- ${key}.scope: must be "global", or be left out: with "local" every replica of the backend would write`,
    );
  }
  return schedule;
}

function readSourcesSchedule(
  config: RootConfigService,
  hubs: z.infer<typeof schema>['hubs'],
): SchedulerServiceTaskScheduleDefinition {
  const key = `${ROOT}.resourceSources.schedule`;
  const schedule = readSchedule(config, key, DEFAULT_SOURCES_SCHEDULE);
  for (const [index, { search }] of hubs.entries()) {
    if (search && search.timeoutMs * ROUND_TIMEOUTS >= timeoutOf(schedule)) {
      throw new InputError(
        `Invalid configuration of Argo CD Fleet:\n- ${ROOT}.hubs[${index}].search.timeout: must be shorter than one part in ${ROUND_TIMEOUTS} of ${key}.timeout (now ${timeoutOf(schedule) / 1000} s), so that what a slow Search has told is kept before the task ends`,
      );
    }
  }
  return schedule;
}

/** Milliseconds. */
function timeoutOf({
  timeout,
}: SchedulerServiceTaskScheduleDefinition): number {
  return Duration.isDuration(timeout)
    ? timeout.toMillis()
    : durationToMilliseconds(timeout);
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
