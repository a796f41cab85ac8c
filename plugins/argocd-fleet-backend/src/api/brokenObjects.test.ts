import { readsWithBroken } from '../__testUtils__/brokenObject';
import { completeList } from '../__testUtils__/completeList';
import { emptyCache } from '../__testUtils__/emptyCache';
import {
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../__testUtils__/objects';
import type { FleetCache } from '../fleet/fleetCache';
import { createFleetReader } from '../fleet/fleetReader';
import { applicationFindings } from '../model/findings';
import { buildManifestWork } from '../model/manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../model/manifestwork/workPlan';
import type { ApiHub } from './apiHub';
import { createFleetViews } from './fleetViews';

const RESOURCES = ['applications', 'applicationSets', 'works'] as const;
const SETS = ['books', 'shop'];
const CLUSTERS = ['one', 'two'];

function fleet(): FleetCache {
  const cache = emptyCache();
  for (const name of SETS) {
    const set = pullApplicationSet(name);
    const owner = { ...set, metadata: { ...set.metadata, uid: `uid-${name}` } };
    cache.applyWriteResult('applicationSets', owner as never);
    for (const cluster of CLUSTERS) {
      const application = pullApplication(`${name}-${cluster}`, cluster, {
        uid: `uid-${name}-${cluster}`,
        ...ownedBy(owner),
      });
      cache.applyWriteResult('applications', application);
      cache.applyWriteResult(
        'works',
        buildManifestWork(
          application,
          { cluster, name: `${name}-work` },
          DEFAULT_PROPAGATION,
        ),
      );
    }
  }
  return cache;
}

/** The cache with one object of which only the metadata can be read. */
function withBroken(
  cache: FleetCache,
  resource: (typeof RESOURCES)[number],
  key: string,
): FleetCache {
  return {
    ...cache,
    [resource]: {
      ...cache[resource],
      ...readsWithBroken(cache[resource], () => key),
    },
  };
}

function viewsOf(cache: FleetCache) {
  const hub = {
    name: 'hub',
    client: {},
    cache,
    reader: createFleetReader({
      cache,
      propagation: () => DEFAULT_PROPAGATION,
    }),
    writes: { key: '', grants: [], argocdNamespace: 'openshift-gitops' },
    runners: [],
  };
  return createFleetViews({
    hubs: [hub as unknown as ApiHub],
    listener: { applicationSetsChanged() {}, hubChanged() {} },
  });
}

async function shown(cache: FleetCache) {
  const views = viewsOf(cache);
  const { items } = await completeList(views);
  const pages = await Promise.all(
    items.map(({ ref }) => views.getApplicationSetRows(ref, undefined)),
  );
  const details = await Promise.all(
    items.map(({ ref }) => views.getApplicationSet(ref)),
  );
  return {
    names: items.map(({ ref }) => ref.name),
    rows: pages.map(page => page?.applications.length),
    details: Object.fromEntries(
      details.flatMap(detail =>
        (detail?.applications ?? []).map(
          it => [it.application.name, it] as const,
        ),
      ),
    ),
    findings: items.flatMap(({ findings }) => findings ?? []),
  };
}

describe.each(
  RESOURCES.flatMap(resource =>
    [...fleet()[resource].keys()].map(key => [resource, key] as const),
  ),
)('with broken %s %s', (resource, key) => {
  it('shows everything else as it is, and of that object that it cannot be read', async () => {
    const whole = await shown(fleet());
    const now = await shown(withBroken(fleet(), resource, key));
    expect(now.names).toEqual(SETS);
    expect(now.rows).toEqual(whole.rows);
    const { unreadable } = applicationFindings;
    const changed = Object.keys(whole.details).filter(
      name =>
        JSON.stringify(now.details[name]) !==
        JSON.stringify(whole.details[name]),
    );
    const saying = now.findings
      .concat(
        changed.flatMap(name =>
          now.details[name].steps.flatMap(({ finding }) => finding ?? []),
        ),
      )
      .filter(({ code }) => code === unreadable.code);
    expect(saying.length).toBeGreaterThan(0);
    const [namespace, name] = key.split('/');
    const own = {
      applications: name,
      applicationSets: `${name}-`,
      works: name.replace('work', namespace),
    };
    expect(changed.filter(it => !it.startsWith(own[resource]))).toEqual([]);
  });
});
