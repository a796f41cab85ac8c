import { rm, writeFile } from 'node:fs/promises';
import type { Fault } from 'hub-faults';
import { waitFor } from '../../../__testUtils__/waitFor';
import type { FaultyHub } from './faultyHub';
import {
  createFleet,
  waitForFirstState,
  changeFleet,
  touchAllObjects,
} from './scenario';

/** A fault that affects a hub until `end`. */
export interface Disturbance {
  /** Whether a random fault has hit at least one request: otherwise the test would prove nothing. */
  readonly hasHit?: () => boolean;
  /** Runs right after the fleet was changed, while the backend is busy. */
  readonly afterwards?: () => Promise<void>;
  readonly end: () => Promise<void> | void;
}

/** Starts a disturbance of a hub. */
export type StartDisturbance = (
  hub: FaultyHub,
) => Promise<Disturbance> | Disturbance;

/** Injects faults and breaks all connections, so that lists and watches meet the faults too. */
function injectFaults(...faults: Fault[]): StartDisturbance {
  return hub => {
    const handles = faults.map(fault => hub.faults.add(fault));
    hub.faults.dropConnections();
    return {
      hasHit: () => handles.every(({ hits }) => hits() > 0),
      end: () => hub.faults.clear(),
    };
  };
}

/** Keeps watches open without events. */
function silenceWatches(resource?: string): StartDisturbance {
  return hub => {
    const match = resource ? { resource } : {};
    const { hits } = hub.faults.add({ type: 'watchSilence', match });
    return { hasHit: () => hits() > 0, end: () => hub.faults.clear() };
  };
}

/**
 * Revokes a permission. A forbidden request is retried after minutes or after an event, so `end` touches all objects.
 */
function revokePermission(
  verb: NonNullable<Fault['match']>['verb'],
  resource: string,
): StartDisturbance {
  return async hub => ({
    ...(await injectFaults({ type: 'forbidden', match: { verb, resource } })(
      hub,
    )),
    async end() {
      hub.faults.clear();
      await touchAllObjects(hub);
    },
  });
}

/**
 * Restarts the API server after an outage in which each watched resource failed more than once. The server may then
 * have another history, and a watch that resumes at once does not notice that.
 */
async function restartAfterOutage(
  hub: FaultyHub,
  state: Parameters<FaultyHub['restart']>[0],
) {
  const watched = new Set(
    hub
      .backendRequests()
      .flatMap(({ verb, resource = '' }) => (verb === 'watch' ? resource : [])),
  );
  const unavailable = [...watched].map(resource =>
    hub.faults.add({ type: 'serverError', code: 503, match: { resource } }),
  );
  hub.faults.dropConnections();
  await waitFor(() => unavailable.every(({ hits }) => hits() > 1));
  await hub.restart(state);
  unavailable.forEach(fault => fault.remove());
}

/** Restarts the API server while the backend has most to do. */
function restartDuringChanges(state: 'kept' | 'backedUp'): StartDisturbance {
  return async hub => {
    // Latency keeps the backend busy until the restart.
    const slow = hub.faults.add({ type: 'latency', milliseconds: 50 });
    await hub.backUp();
    return {
      hasHit: () => slow.hits() > 0,
      async afterwards() {
        await restartAfterOutage(hub, state);
        if (state === 'backedUp') {
          await changeFleet(hub);
        }
      },
      end: () => hub.faults.clear(),
    };
  };
}

/** Groups of disturbances: title, then title and start of each. */
export const FAULT_GROUPS: [string, [string, StartDisturbance][]][] = [
  [
    'requests that fail',
    [
      [
        'many responses 409',
        injectFaults({ type: 'conflict', probability: 0.7 }),
      ],
      [
        'many responses 429 with Retry-After',
        injectFaults({ type: 'tooManyRequests', probability: 0.3 }),
      ],
      [
        'many responses 500',
        injectFaults({ type: 'serverError', code: 500, probability: 0.5 }),
      ],
      [
        'many responses 503',
        injectFaults({ type: 'serverError', code: 503, probability: 0.5 }),
      ],
      [
        'connections that break before the request',
        injectFaults({ type: 'reset', probability: 0.5 }),
      ],
      [
        'writes that succeed without a response',
        injectFaults({
          type: 'reset',
          when: 'beforeResponse',
          match: { verb: ['create', 'patch', 'delete'] },
          probability: 0.7,
        }),
      ],
      [
        'connections that break during the response',
        injectFaults({
          type: 'reset',
          when: 'duringResponse',
          probability: 0.5,
        }),
      ],
      [
        'several of these at once',
        injectFaults(
          { type: 'latency', milliseconds: 5, jitterMilliseconds: 50 },
          { type: 'conflict', probability: 0.3 },
          { type: 'serverError', code: 503, probability: 0.2 },
          { type: 'reset', when: 'beforeResponse', probability: 0.2 },
          { type: 'watchExpired', probability: 0.3 },
          {
            type: 'watchSilence',
            match: { resource: 'placementdecisions' },
          },
        ),
      ],
    ],
  ],
  [
    'incomplete watches',
    [
      ['silent watches', silenceWatches()],
      ['a silent watch of Applications', silenceWatches('applications')],
      ['a silent watch of works', silenceWatches('manifestworks')],
      ['a silent watch of decisions', silenceWatches('placementdecisions')],
      [
        'watches that start with an event 410',
        injectFaults({ type: 'watchExpired', as: 'event', probability: 0.8 }),
      ],
      [
        'watches with the response 410',
        injectFaults({ type: 'watchExpired', as: 'http', probability: 0.8 }),
      ],
    ],
  ],
  [
    'an unavailable hub',
    [
      ['an API server that restarts', restartDuringChanges('kept')],
      [
        'an API server that is restored from a backup',
        restartDuringChanges('backedUp'),
      ],
      [
        'an API server that loses all objects and gets them again',
        async hub => {
          await restartAfterOutage(hub, 'lost');
          await createFleet(hub);
          await waitForFirstState(hub);
          return { end: () => {} };
        },
      ],
      [
        'an API server that does not respond',
        async hub => {
          await hub.faults.down();
          return { end: () => hub.faults.up() };
        },
      ],
      [
        'a kubeconfig that is invalid',
        async hub => {
          const good = hub.faults.kubeconfig();
          await writeFile(hub.kubeconfigPath, 'clusters: [');
          hub.faults.dropConnections();
          return { end: () => writeFile(hub.kubeconfigPath, good) };
        },
      ],
      [
        'a kubeconfig that is missing',
        async hub => {
          const good = hub.faults.kubeconfig();
          await rm(hub.kubeconfigPath);
          hub.faults.dropConnections();
          return { end: () => writeFile(hub.kubeconfigPath, good) };
        },
      ],
    ],
  ],
  [
    'a revoked permission',
    [
      ['to create works', revokePermission('create', 'manifestworks')],
      ['to patch works', revokePermission('patch', 'manifestworks')],
      ['to delete works', revokePermission('delete', 'manifestworks')],
      ['to patch Applications', revokePermission('patch', 'applications')],
      [
        'to list and watch Applications',
        revokePermission(['list', 'watch'], 'applications'),
      ],
      ['to get Applications', revokePermission('get', 'applications')],
      [
        'to list and watch works',
        revokePermission(['list', 'watch'], 'manifestworks'),
      ],
      [
        'to list and watch decisions',
        revokePermission(['list', 'watch'], 'placementdecisions'),
      ],
      [
        'to list and watch clusters',
        revokePermission(['list', 'watch'], 'managedclusters'),
      ],
    ],
  ],
];
