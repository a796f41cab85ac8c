import {
  mockServices,
  startTestBackend,
  type TestBackend,
} from '@backstage/backend-test-utils';
import { schedulerServiceFactory } from '@backstage/backend-defaults/scheduler';
import {
  coreServices,
  createServiceFactory,
  type BackendFeature,
} from '@backstage/backend-plugin-api';
import type { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import type { JsonObject } from '@backstage/types';
import type { ControllerList } from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import {
  openSqlite,
  type TestDatabase,
} from '../database/__testUtils__/testDatabase';
import { CONTROLLER_NAMES } from '../config/controllerNames';
import type { RemovalTimes } from '../model/removal/removalTimes';
import { createArgocdFleetPlugin, type PluginOptions } from '../plugin';
import { NAMESPACE } from './objects';

/**
 * The default but for the frequency, at which the scheduler also looks for tasks to start: a new backend would wait for
 * a second before its controllers run.
 */
const SCHEDULE = {
  frequency: { milliseconds: 100 },
  timeout: { seconds: 60 },
};

/** A hub of a test loses its Applications within moments, and its works must not change at some time later. */
export const SHORT_REMOVAL_TIMES: Partial<RemovalTimes> = {
  batchMs: 300,
  freezeMs: 3_600_000,
};

/** Adds the schedule of the tests to the controllers that have none. */
function withSchedules(argocdFleet: JsonObject): JsonObject {
  const controllers = (argocdFleet.controllers ?? {}) as JsonObject;
  return {
    ...argocdFleet,
    controllers: Object.fromEntries(
      CONTROLLER_NAMES.map(name => [
        name,
        { schedule: SCHEDULE, ...(controllers[name] as JsonObject) },
      ]),
    ),
  };
}

/** Starts a backend with only this plugin and Backstage's real scheduler. */
export async function startFleetBackend(options: {
  readonly argocdFleet?: JsonObject;
  /** Besides `argocdFleet`. */
  readonly config?: JsonObject;
  readonly entities?: Entity[];
  /** Default: SQLite in memory. */
  readonly database?: BackendFeature;
  readonly features?: BackendFeature[];
  readonly plugin?: PluginOptions;
}): Promise<TestBackend> {
  const { argocdFleet, config, entities = [], features = [] } = options;
  const databases: TestDatabase[] = [];
  // A stopped backend leaves SQLite open, which keeps the test process alive.
  const inMemory = createServiceFactory({
    service: coreServices.database,
    deps: {},
    factory() {
      const database = openSqlite();
      databases.push(database);
      return { getClient: async () => database.knex };
    },
  });
  const backend = await startTestBackend({
    features: [
      createArgocdFleetPlugin({
        removalTimes: SHORT_REMOVAL_TIMES,
        ...options.plugin,
      }),
      schedulerServiceFactory,
      options.database ?? inMemory,
      catalogServiceMock.factory({ entities }),
      mockServices.rootConfig.factory({
        data: {
          ...config,
          ...(argocdFleet && { argocdFleet: withSchedules(argocdFleet) }),
        },
      }),
      ...features,
    ],
  });
  const stop = backend.stop.bind(backend);
  return Object.assign(backend, {
    async stop() {
      await stop();
      await Promise.all(databases.map(({ close }) => close()));
    },
  });
}

/** The API's answer about hubs and controllers. */
export async function getControllers(
  backend: TestBackend,
): Promise<ControllerList> {
  const { body } = await request(backend.server).get(
    '/api/argocd-fleet/controllers',
  );
  return body;
}

/** What the tests' hub may be written, in the namespace of their objects. */
export const WRITES = {
  namespaces: [NAMESPACE],
  projects: ['default'],
  repositories: ['https://github.com/argoproj'],
  destinationNamespaces: ['*'],
  clusterSets: ['*'],
};

/** Configuration with one hub called `hub`, which the portal may write. */
export function oneHub(
  kubeconfigPath: string,
  more: JsonObject = {},
  hub: JsonObject = {},
) {
  return {
    hubs: [
      {
        name: 'hub',
        kubeconfig: { path: kubeconfigPath },
        writes: [WRITES],
        ...hub,
      },
    ],
    ...more,
  };
}
