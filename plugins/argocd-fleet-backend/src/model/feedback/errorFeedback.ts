import type { ApplicationCondition } from 'backstage-plugin-argocd-fleet-common';
import { hasLegalNames } from './resourceNames';
import { errorConditions, type ApplicationState } from './applicationState';

/** The types of Argo CD's error conditions. Each needs a path of its own: a path selects one type. */
const CONDITION_PATHS = {
  deletionError: 'DeletionError',
  invalidSpecError: 'InvalidSpecError',
  comparisonError: 'ComparisonError',
  syncError: 'SyncError',
  unknownError: 'UnknownError',
} as const;

const FAILED =
  '.status.operationState.syncResult.resources[?(@.status=="SyncFailed")]';
const DEGRADED = '.status.resources[?(@.health.status=="Degraded")]';
const LAST_SYNC = '.status.history[-1:]';

/**
 * Feedback values that report the first errors if the hub has no condition rules: the agent returns the first match of
 * each path. Fields that some resources lack are left out, because their first match may be another resource's.
 */
export const ERROR_PATHS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(CONDITION_PATHS).map(([name, type]) => [
      name,
      `.status.conditions[?(@.type=="${type}")].message`,
    ]),
  ),
  operationMessage: '.status.operationState.message',
  operationRetries: '.status.operationState.retryCount',
  failedResourceKind: `${FAILED}.kind`,
  failedResourceName: `${FAILED}.name`,
  failedResourceMessage: `${FAILED}.message`,
  degradedResourceKind: `${DEGRADED}.kind`,
  degradedResourceName: `${DEGRADED}.name`,
  lastSyncId: `${LAST_SYNC}.id`,
  lastSyncRevision: `${LAST_SYNC}.revision`,
  lastSyncDeployedAt: `${LAST_SYNC}.deployedAt`,
};

/** The values of a path: the first match, or all matches if the agent is configured to send them. */
export type ValuesNamed = (name: string) => readonly (string | number)[];

/** Reads the values of {@link ERROR_PATHS}; all parts are empty if none has a value. */
export function readErrorFeedback(
  valuesOf: ValuesNamed,
  phase: string | undefined,
): Partial<ApplicationState> {
  const text = (name: string) => valuesOf(name).map(String);
  const [operationMessage] = text('operationMessage');
  const [retries] = valuesOf('operationRetries');
  const [id] = valuesOf('lastSyncId');
  const [revision] = text('lastSyncRevision');
  const [deployedAt] = text('lastSyncDeployedAt');
  const conditions = Object.entries(CONDITION_PATHS).flatMap(([name, type]) =>
    text(name).map((message): ApplicationCondition => ({ type, message })),
  );
  const messages = text('failedResourceMessage');
  const failedResources = resourcesOf('failedResource', text).map(
    (resource, index) => ({ ...resource, message: messages[index] }),
  );
  const degraded = resourcesOf('degradedResource', text);
  const illegalNames = [...failedResources, ...degraded].filter(
    resource => !hasLegalNames(resource),
  ).length;
  return {
    operationMessage,
    operationRetries: typeof retries === 'number' ? retries : undefined,
    conditions: errorConditions(conditions, {
      phase,
      message: operationMessage,
    }),
    failedResources: failedResources.filter(hasLegalNames),
    resources: degraded
      .filter(hasLegalNames)
      .map(resource => ({ ...resource, health: 'Degraded' })),
    ...(illegalNames > 0 && { illegalNames }),
    history:
      typeof id === 'number'
        ? [
            {
              id,
              ...(deployedAt && { deployedAt }),
              ...(revision && { revision }),
            },
          ]
        : [],
  };
}

function resourcesOf(prefix: string, text: (name: string) => string[]) {
  const kinds = text(`${prefix}Kind`);
  return text(`${prefix}Name`).map((name, index) => ({
    kind: kinds[index] ?? '',
    name,
  }));
}
