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
import { DEFAULT_LINK_WAYS, type LinkWays } from '../model/links';
import type { CatalogMapping } from '../model/views';
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
import {
  hubSchemaFor,
  modeSchema,
  readHub,
  type HubConfig,
  type HubScope,
} from './hubConfig';
import {
  accountsSchema,
  appNamespacesSchema,
  argocdNamespacesSchema,
  namespaceName,
} from './namespacesConfig';
import { systemNamespaceProblems } from './writesConfig';
import { catalogFields } from './catalogConfig';

/** How one controller runs. */
export interface ControllerConfig {
  readonly mode: ControllerMode;
  readonly schedule: SchedulerServiceTaskScheduleDefinition;
  readonly timing: ControllerTiming;
  /** Keys that are reconciled at the same time. */
  readonly concurrency: number;
}

/** The plugin's configuration, validated and with all defaults. */
export interface FleetConfig {
  readonly hubs: readonly HubConfig[];
  readonly controllers: Readonly<Record<ControllerName, ControllerConfig>>;
  /** When resource sources are queried; always by one replica at a time. */
  readonly resourceSources: {
    readonly schedule: SchedulerServiceTaskScheduleDefinition;
  };
  /**
   * Whether the owners of catalog entities that link to an ApplicationSet without recorded owner may read it as its owner;
   * undefined where nobody decided it: then they may not, and a finding says so.
   */
  readonly readByLink?: boolean;
  /** What the catalog's entities of managed clusters and ApplicationSets say. */
  readonly catalog: CatalogMapping;
  /** Which ways of finding the ApplicationSets of catalog entities are switched on. */
  readonly links: LinkWays;
  /** How long history is kept, in milliseconds. */
  readonly keepHistoryMs: number;
}

const ROOT = 'argocdFleet';

/** A short interval, so that the next run starts right after the last one; see "Controllers" in the package's README. */
const DEFAULT_SCHEDULE: SchedulerServiceTaskScheduleDefinition = {
  frequency: { seconds: 1 },
  timeout: { seconds: 60 },
  scope: 'global',
};
/** Milliseconds: we learn of our claim that much later than it began, since the database has to respond first. */
const CLAIM_DELAY_MS = 1_000;
const DEFAULT_RUN_WINDOW_MS = 50_000;

/** The interval of RHACM's own queries; 30 s puts less load on a large index. */
const DEFAULT_SOURCES_SCHEDULE: SchedulerServiceTaskScheduleDefinition = {
  frequency: { seconds: 10 },
  timeout: { minutes: 2 },
  scope: 'global',
};
/** Milliseconds: one quarter, so that a review at its end has all of it. */
const DEFAULT_KEEP_HISTORY_MS = 90 * 24 * 3_600_000;
/**
 * It waits for the database and not for a hub, and one transaction takes many keys: more concurrency means fewer
 * transactions.
 */
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

/**
 * Other plugins of the suite have their configuration under the same key, so unknown keys are rejected only on lower
 * levels.
 */
const schema = z.object({
  hubs: z
    .array(hubSchemaFor(CONTROLLER_NAMES))
    .default([])
    .refine(
      hubs => new Set(hubs.map(({ name }) => name)).size === hubs.length,
      'two hubs have the same name; names must be unique',
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
  components: z
    .strictObject({ namespaces: z.array(namespaceName).optional() })
    .prefault({}),
  catalog: z
    .strictObject({
      clusters: z
        .strictObject({
          ...catalogFields,
          kubernetesAuthProvider: z
            .string()
            .refine(
              provider => provider !== 'serviceAccount',
              "must not be serviceAccount: the kubernetes plugin accepts it for no cluster of the catalog. Use its users' own tokens, for example oidc",
            )
            .optional(),
        })
        .prefault({}),
      applicationSets: z.strictObject(catalogFields).prefault({}),
    })
    .prefault({}),
  links: z
    .strictObject({
      relation: z.boolean().default(DEFAULT_LINK_WAYS.relation),
      argocdAnnotations: z
        .boolean()
        .default(DEFAULT_LINK_WAYS.argocdAnnotations),
      repository: z
        .enum(['path', 'any', 'off'])
        .default(DEFAULT_LINK_WAYS.repository),
    })
    .prefault({}),
  permissions: z
    .strictObject({ readByLink: z.boolean().optional() })
    .prefault({}),
  clusterImport: z
    .strictObject({
      argocdNamespaces: argocdNamespacesSchema.default({}),
      managedServiceAccounts: accountsSchema.default({}),
    })
    .prefault({}),
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
      defaultDestinationNamespace: flag('defaultDestinationNamespace'),
      includeNamespace: flag('includeNamespace'),
      includeAppProject: flag('includeAppProject'),
      argocdNamespace: namespaceName.default(
        DEFAULT_PROPAGATION.argocdNamespace,
      ),
      appNamespaces: appNamespacesSchema.default(new Map()),
    })
    .transform(({ digestLength, ...options }) => ({
      ...options,
      digestExpression: digestExpression(digestLength),
    }))
    .prefault({}),
});

const checkedSchema = schema.check(({ value, issues }) => {
  const { argocdNamespace } = value.propagation;
  value.hubs.forEach(({ writes, propagation }, index) => {
    for (const [path, message] of systemNamespaceProblems(
      writes,
      propagation.argocdNamespace ?? argocdNamespace,
    )) {
      issues.push({
        code: 'custom',
        input: writes,
        path: ['hubs', index, 'writes', ...path],
        message,
      });
    }
  });
});

/**
 * Reads and validates the configuration.
 * @throws InputError with every wrong key and the values that it may have
 */
export function readFleetConfig(config: RootConfigService): FleetConfig {
  const parsed = checkedSchema.safeParse(config.getOptional(ROOT) ?? {});
  if (!parsed.success) {
    throw new InputError(
      `Invalid configuration of Argo CD Fleet:\n${parsed.error.issues
        .map(issue => `- ${keyOf(issue.path)}: ${issue.message}`)
        .join('\n')}`,
    );
  }
  const { hubs, controllers } = parsed.data;
  return {
    hubs: hubs.map((hub, index) => ({
      ...readHub(config, hub, `${ROOT}.hubs[${index}]`),
      ...scopeOf(parsed.data, hub),
    })),
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
    resourceSources: { schedule: readSourcesSchedule(config, hubs) },
    ...parsed.data.permissions,
    catalog: parsed.data.catalog,
    links: parsed.data.links,
    keepHistoryMs: milliseconds(
      config,
      `${ROOT}.history.keep`,
      DEFAULT_KEEP_HISTORY_MS,
    ),
  };
}

/** Where a hub's tenants may have what done: what the hub says itself, else what holds for all hubs. */
function scopeOf(
  all: z.infer<typeof schema>,
  hub: z.infer<typeof schema>['hubs'][number],
): HubScope {
  const propagation = { ...all.propagation, ...hub.propagation };
  const { namespaces } = { ...all.components, ...hub.components };
  return {
    propagation,
    clusterImport: { ...all.clusterImport, ...hub.clusterImport },
    components: {
      namespaces: new Set(namespaces ?? [propagation.argocdNamespace]),
      keepsExisting: namespaces === undefined,
    },
  };
}

function readController(
  config: RootConfigService,
  name: ControllerName,
  controllers: z.infer<typeof schema>['controllers'],
): ControllerConfig {
  const key = `${ROOT}.controllers.${name}`;
  const schedule = readSchedule(config, `${key}.schedule`, DEFAULT_SCHEDULE);
  const timing: ControllerTiming = {
    fullPassEveryMs: milliseconds(config, `${key}.fullPassEvery`, undefined),
    runWindowMs: milliseconds(
      config,
      `${key}.runWindow`,
      DEFAULT_RUN_WINDOW_MS,
    ),
  };
  const timeoutMs = timeoutOf(schedule);
  const spareMs = REQUEST_GRACE_MS + CLAIM_DELAY_MS;
  if (timing.runWindowMs + spareMs > timeoutMs) {
    throw new InputError(
      `Invalid configuration of Argo CD Fleet:\n- ${key}.runWindow: must be at least ${spareMs / 1000} s shorter than ${key}.schedule.timeout (now ${timeoutMs / 1000} s), so that no write is sent after the task's claim has expired`,
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
      `Invalid configuration of Argo CD Fleet:\n- ${key}.scope: must be "global", or be left out: with "local", every replica of the backend would run it`,
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
        `Invalid configuration of Argo CD Fleet:\n- ${ROOT}.hubs[${index}].search.timeout: must be shorter than 1/${ROUND_TIMEOUTS} of ${key}.timeout (now ${timeoutOf(schedule) / 1000} s), so that the answers of a slow Search are stored before the task ends`,
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

function milliseconds<F extends number | undefined>(
  config: RootConfigService,
  key: string,
  fallback: F,
): number | F {
  if (!config.has(key)) {
    return fallback;
  }
  const ms = durationToMilliseconds(readDurationFromConfig(config, { key }));
  if (ms <= 0) {
    throw new InputError(
      `Invalid configuration of Argo CD Fleet:\n- ${key}: must be a positive duration, for example { seconds: 10 }`,
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
