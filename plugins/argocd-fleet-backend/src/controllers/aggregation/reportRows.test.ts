import type {
  KubernetesObject,
  ManagedCluster,
} from 'backstage-plugin-argocd-fleet-common';
import fc from 'fast-check';
import { emptyCache } from '../../__testUtils__/emptyCache';
import { SEED } from '../../__testUtils__/randomCases';
import { createFleetReader } from '../../fleet/fleetReader';
import type { FleetCache } from '../../fleet/fleetCache';
import { objectKey } from '../../kubernetes/client/client';
import {
  application,
  applicationSet,
} from '../../model/__testUtils__/applications';
import { reportedWork, workOf } from '../../model/__testUtils__/works';
import { DEFAULT_PROPAGATION } from '../../model/manifestwork/workPlan';
import type { SourcedDetails } from '../../model/status/sourcedDetails';
import { mapEventToKeys } from '../../runtime/controller';
import { aggregationWatches } from './aggregationWatches';
import { createReportRows, type ReportRows } from './reportRows';

const SET = objectKey(applicationSet().metadata);
const CLUSTERS = ['one', 'two'];
const NAMES = ['a', 'b', 'c'];

interface World {
  readonly cache: FleetCache;
  readonly rows: ReportRows;
  readonly freshRows: () => ReportRows;
  readonly sourced: Map<string, readonly SourcedDetails[]>;
  /** As a resource source reports that it has other details of Applications. */
  readonly detailsChanged: (keys: readonly string[]) => void;
  /** No version and no UID comes twice. */
  readonly next: () => string;
}

function createWorld(): World {
  const cache = emptyCache();
  const sourced = new Map<string, readonly SourcedDetails[]>();
  const reader = createFleetReader({
    cache,
    propagation: () => DEFAULT_PROPAGATION,
    sourced: key => sourced.get(key),
  });
  const listeners = new Set<(keys: readonly string[]) => void>();
  const freshRows = () => createReportRows({ cache, reader });
  const rows = freshRows();
  const watches = aggregationWatches({
    cache,
    reader,
    rows,
    details: {
      refresh: async () => {},
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    isBeingWritten: () => false,
  });
  cache.onChange(event => mapEventToKeys(watches, event));
  watches.onOutsideEvent?.(() => {});
  let last = 0;
  const next = () => String((last += 1));
  cache.applyWriteResult(
    'applicationSets',
    versioned(applicationSet(), next, 'first'),
  );
  return {
    cache,
    rows,
    freshRows,
    sourced,
    detailsChanged: keys => listeners.forEach(listener => listener(keys)),
    next,
  };
}

function versioned<T extends KubernetesObject>(
  object: T,
  next: World['next'],
  uid: string = next(),
): T {
  return {
    ...object,
    metadata: { ...object.metadata, uid, resourceVersion: next() },
  };
}

/** An event of the hub or of a resource source. */
type Event = (world: World) => void | Promise<void>;

const name = fc.constantFrom(...NAMES);
const cluster = fc.constantFrom(...CLUSTERS);
/** Mostly that of the one that is there. */
const setUid = fc.constantFrom('first', 'first', 'first', 'second');

function applicationOf(
  app: string,
  on: string,
  owner: string,
  pulled: boolean,
) {
  const { labels, ownerReferences, ...metadata } = application({
    cluster: on,
  }).metadata;
  return application({
    cluster: on,
    metadata: {
      ...metadata,
      name: app,
      uid: `uid-of-${app}`,
      labels: pulled ? labels : {},
      ownerReferences: [{ ...ownerReferences![0], uid: owner }],
    },
  });
}

function clusterOf(
  called: string,
  local: boolean,
  silentSince: string | undefined,
): ManagedCluster {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: {
      name: called,
      labels: { 'local-cluster': String(local) },
    },
    status: {
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status: silentSince ? 'Unknown' : 'True',
          lastTransitionTime: silentSince,
        },
      ],
    },
  } as ManagedCluster;
}

const event: fc.Arbitrary<Event> = fc.oneof(
  fc
    .tuple(name, cluster, setUid, fc.boolean())
    .map(([app, on, owner, pulled]): Event => world => {
      // Its UID stays: it decides whether a work belongs to it.
      world.cache.applyWriteResult(
        'applications',
        versioned(
          applicationOf(app, on, owner, pulled),
          world.next,
          `uid-of-${app}`,
        ),
      );
    }),
  fc
    .tuple(name, cluster, fc.constantFrom('Healthy', 'Degraded'))
    .map(([app, on, health]): Event => world => {
      const work = reportedWork({
        work: workOf(applicationOf(app, on, 'first', true)),
        feedback: { healthStatus: health, syncStatus: 'Synced' },
      });
      world.cache.applyWriteResult('works', versioned(work, world.next));
    }),
  fc
    .tuple(
      cluster,
      fc.boolean(),
      fc.constantFrom(undefined, '2026-11-21T11:00:00Z'),
    )
    .map(([called, local, silentSince]): Event => world => {
      const { metadata } = world.cache.clusters.get(called) ?? {};
      world.cache.applyWriteResult(
        'clusters',
        versioned(
          clusterOf(called, local, silentSince),
          world.next,
          metadata?.uid,
        ),
      );
    }),
  setUid.map((uid): Event => world => {
    world.cache.applyWriteResult(
      'applicationSets',
      versioned(applicationSet(), world.next, uid),
    );
  }),
  fc
    .tuple(
      fc.constantFrom(
        'applications' as const,
        'works' as const,
        'clusters' as const,
      ),
      fc.nat(5),
    )
    .map(([resource, index]): Event => ({ cache }) => {
      const found = [...cache[resource].list()][index];
      if (found) {
        cache.applyDeletion(resource, found as never);
      }
    }),
  fc.tuple(name, fc.string()).map(([app, message]): Event => world => {
    const { namespace } = application().metadata;
    const key = objectKey({ namespace, name: app });
    world.sourced.set(key, [
      {
        source: 'search',
        changedAt: '2026-11-21T12:00:00Z',
        details: {
          application: { namespace: namespace!, name: app },
          conditions: [{ type: 'SyncError', message }],
        },
      },
    ]);
    world.detailsChanged([key]);
  }),
  fc.constant<Event>(async ({ rows }) => {
    await rows.of(SET);
  }),
);

const sorted = async (rows: ReportRows) =>
  [...(await rows.of(SET))].sort((a, b) =>
    a.value.app! < b.value.app! ? -1 : 1,
  );

describe('the rows of a report', () => {
  it('equal newly made rows after any history', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 20, maxLength: 80 }),
        async events => {
          const world = createWorld();
          for (const app of NAMES) {
            world.cache.applyWriteResult(
              'applications',
              versioned(
                applicationOf(app, 'one', 'first', true),
                world.next,
                `uid-of-${app}`,
              ),
            );
          }
          expect(await world.rows.of(SET)).toHaveLength(NAMES.length);
          for (const happens of events) {
            await happens(world);
          }
          expect(await sorted(world.rows)).toEqual(
            await sorted(world.freshRows()),
          );
        },
      ),
      { seed: SEED },
    );
  });

  it('are the same objects when nothing changed', async () => {
    const world = createWorld();
    for (const app of NAMES) {
      world.cache.applyWriteResult(
        'applications',
        versioned(applicationOf(app, 'one', 'first', true), world.next),
      );
    }
    const before = await sorted(world.rows);
    const work = reportedWork({
      work: workOf(applicationOf('b', 'one', 'first', true)),
    });
    world.cache.applyWriteResult('works', versioned(work, world.next));
    const after = await sorted(world.rows);
    expect(after.map((row, index) => row === before[index])).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('are made with yields in between, and rows that change meanwhile are made again', async () => {
    const world = createWorld();
    const many = Array.from({ length: 350 }, (_, index) => `app-${index}`);
    const put = (app: string, on: string) =>
      world.cache.applyWriteResult(
        'applications',
        versioned(applicationOf(app, on, 'first', true), world.next, app),
      );
    many.forEach(app => put(app, 'one'));
    let yields = 0;
    const rows = await world.rows.of(SET, async () => {
      yields += 1;
      if (yields === 100) {
        put('app-0', 'two');
      }
    });
    expect(yields).toBeGreaterThanOrEqual(many.length);
    expect(rows).toHaveLength(many.length);
    expect(
      rows.filter(row => row.value.cluster === 'two').map(row => row.value.app),
    ).toEqual(['openshift-gitops/app-0']);
  });
});
