import {
  COMPONENT_ANNOTATIONS,
  HUB_APPLICATION_NAME_ANNOTATION,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  RELEASE_ANNOTATION,
  RELEASING_ANNOTATION,
  argocdFleetApplicationSetDeletePermission,
  type ArgoApplication,
  type ArgoApplicationSet,
  type GitOpsCluster,
  type KubernetesObject,
  type Release,
} from 'backstage-plugin-argocd-fleet-common';
import { steadyNow } from '../async';
import { emptyCache } from '../__testUtils__/emptyCache';
import {
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../__testUtils__/objects';
import type { StoredOrder } from '../database';
import type { FleetCache } from '../fleet';
import { KubernetesError } from '../kubernetes/client';
import { workOf } from '../model/__testUtils__/works';
import { ownAccess, TEAM, TEAM_WRITES } from './__testUtils__/ownAccess';
import type { ApiHub } from './apiHub';
import {
  deleteApplicationSet,
  deletePlacement,
  orderRelease,
  withdrawRelease,
} from './hubDeletions';
import type { OwnAccess } from './writeAccess';

const REF = { hub: 'hub', namespace: 'argocd', name: 'shop' };
const MINUTES = 60_000;

/** Labels and annotations of an object of the portal. */
function ours(annotations: Readonly<Record<string, string>> = {}) {
  return {
    uid: 'uid-1',
    resourceVersion: '7',
    labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
    annotations: { [COMPONENT_ANNOTATIONS.owner]: TEAM, ...annotations },
  };
}

function setWith(metadata: object = ours()): ArgoApplicationSet {
  const made = pullApplicationSet(REF.name) as ArgoApplicationSet;
  return {
    ...made,
    metadata: { ...made.metadata, ...metadata },
    spec: {
      ...made.spec,
      generators: [
        {
          clusterDecisionResource: {
            configMapRef: 'ocm-placement-generator',
            labelSelector: {
              matchLabels: {
                'cluster.open-cluster-management.io/placement': 'shop',
              },
            },
          },
        },
      ],
    },
  } as ArgoApplicationSet;
}

const PLACEMENT: KubernetesObject = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'Placement',
  metadata: { namespace: 'argocd', name: 'shop', ...ours() },
};

/** A hub that has an object, and two works of the ApplicationSet. */
function hubWith(
  object: KubernetesObject | undefined,
  more: {
    order?: Partial<StoredOrder>;
    writes?: Partial<ApiHub['writes']>;
    works?: readonly string[];
    /** Whether the first Application is deployed by the hub's Argo CD. */
    pushes?: boolean;
  } = {},
) {
  const { works = ['work-1', 'work-2'], order, writes, pushes } = more;
  const cache: FleetCache = { ...emptyCache(), unsyncedReasons: () => [] };
  const set = setWith();
  works.forEach((uid, index) => {
    const application = pullApplication(`${uid}-shop`, uid, {
      ...ownedBy(set),
      ...(pushes && index === 0 && { labels: {} }),
    }) as ArgoApplication;
    cache.applyWriteResult('applications', application);
    const work = workOf(application);
    cache.applyWriteResult('works', {
      ...work,
      metadata: { ...work.metadata, uid },
    });
  });
  const sent: unknown[] = [];
  const client = {
    async get() {
      if (!object) {
        throw new KubernetesError('notFound', 'there is none');
      }
      return object;
    },
    async patch(_: unknown, __: unknown, patch: object, options: object) {
      sent.push({ patch, ...options });
      return object;
    },
    async delete({ kind }: { kind: string }, _: unknown, options: object) {
      sent.push({ deleted: kind, ...options });
    },
  };
  const hub = {
    name: 'hub',
    cache,
    client,
    writes: { ...TEAM_WRITES, ...writes },
    removalState: {
      refresh: async () => {},
      orderOf: () =>
        order && {
          owner: 'ApplicationSet/argocd/shop',
          uid: 'uid-1',
          release: 'hand-over',
          orderedAt: steadyNow(),
          works,
          ...order,
        },
    },
  } as unknown as ApiHub;
  return { hub, cache, sent };
}

const accessOf = (more?: Parameters<typeof ownAccess>[1]) =>
  ownAccess(argocdFleetApplicationSetDeletePermission, more);

const patched = (release: Release | null) => ({
  patch: { metadata: { annotations: { [RELEASE_ANNOTATION]: release } } },
  resourceVersion: '7',
});

/** The three requests, by their names. */
const REQUESTS = {
  'an order': (hub: ApiHub, access: OwnAccess) =>
    orderRelease(hub, REF, 'remove', access),
  'a withdrawal': (hub: ApiHub, access: OwnAccess) =>
    withdrawRelease(hub, REF, access),
  'a deletion': (hub: ApiHub, access: OwnAccess) =>
    deleteApplicationSet(hub, REF, access),
  'the deletion of a Placement': (hub: ApiHub, access: OwnAccess) =>
    deletePlacement(hub, REF, access),
};

describe.each(Object.entries(REQUESTS))('%s', (what, send) => {
  const isPlacement = what.includes('Placement');
  const objectWith = (metadata?: object): KubernetesObject =>
    isPlacement
      ? { ...PLACEMENT, metadata: { ...PLACEMENT.metadata, ...metadata } }
      : setWith({ ...ours(), ...metadata });

  it.each<
    [
      string,
      KubernetesObject | undefined,
      Parameters<typeof accessOf>[0],
      RegExp,
    ]
  >([
    ['that does not exist', undefined, {}, /There is no \w+ argocd\/shop/],
    [
      'that the caller does not see, in the same words',
      objectWith(),
      { reads: false, all: true },
      /There is no \w+ argocd\/shop/,
    ],
    [
      'that the portal did not make',
      objectWith({ labels: {} }),
      { all: true },
      /was not made by Argo CD Fleet/,
    ],
    [
      'that Argo CD keeps as it is in Git',
      objectWith(ours({ 'argocd.argoproj.io/tracking-id': 'apps:x' })),
      { all: true },
      /is kept in Git by an Argo CD Application/,
    ],
    [
      'that the policy does not cover',
      objectWith(),
      { allows: false },
      /may not be deleted by you: your permission argocd-fleet.application-set.delete/,
    ],
    [
      'of another team',
      objectWith(),
      { groups: ['group:default/other'] },
      /belongs to group:default\/retail, which is neither you/,
    ],
    [
      'without an owner',
      objectWith({ annotations: {} }),
      {},
      /has no recorded owner/,
    ],
    [
      'of an owner whom the configuration does not name there',
      objectWith({
        annotations: { [COMPONENT_ANNOTATIONS.owner]: 'group:default/other' },
      }),
      { groups: ['group:default/other'] },
      /group:default\/other is not allowed; writes\[0\].owners/,
    ],
  ])('is refused of one %s', async (_, object, access, message) => {
    const { hub, sent } = hubWith(object, { order: {} });
    await expect(send(hub, accessOf(access))).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  it.each<[string, Partial<ApiHub['writes']>, RegExp]>([
    ['in a namespace without a grant', { grants: [] }, /may write nowhere/],
    [
      'where propagation only observes',
      { refusal: 'The portal may write nothing on the hub' },
      /may write nothing on the hub/,
    ],
  ])('is refused %s', async (_, writes, message) => {
    const { hub, sent } = hubWith(objectWith(), { writes, order: {} });
    await expect(send(hub, accessOf({ all: true }))).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });
});

describe('an order', () => {
  const order = (
    hub: ApiHub,
    release: Release = 'hand-over',
  ): ReturnType<typeof orderRelease> =>
    orderRelease(hub, REF, release, accessOf());

  it('is given once, and is stored when the controllers have stored it', async () => {
    const first = hubWith(setWith());
    expect(await order(first.hub)).toEqual({
      ref: REF,
      release: 'hand-over',
      stored: false,
      placements: ['shop'],
    });
    expect(first.sent).toEqual([patched('hand-over')]);

    const annotated = setWith(ours({ [RELEASE_ANNOTATION]: 'hand-over' }));
    const waiting = hubWith(annotated);
    expect(await order(waiting.hub)).toMatchObject({ stored: false });
    expect(waiting.sent).toEqual([]);

    const stored = hubWith(annotated, { order: {} });
    expect(await order(stored.hub)).toMatchObject({ stored: true });
    expect(stored.sent).toEqual([]);
  });

  it.each<[string, Partial<StoredOrder>]>([
    ['lacks a work that came later', { works: ['work-1'] }],
    ['will soon be over', { orderedAt: steadyNow() - 31 * MINUTES }],
  ])('that %s is taken back, and given again', async (_, stored) => {
    const said = hubWith(setWith(ours({ [RELEASE_ANNOTATION]: 'hand-over' })), {
      order: stored,
    });
    expect(await order(said.hub)).toMatchObject({ stored: false });
    expect(said.sent).toEqual([patched(null)]);

    // Given at once, it would be taken for the one that is stored.
    const takenBack = hubWith(setWith(), { order: stored });
    expect(await order(takenBack.hub)).toMatchObject({ stored: false });
    expect(takenBack.sent).toEqual([]);
  });

  it('that is another one replaces what is stored', async () => {
    const { hub, sent } = hubWith(
      setWith(ours({ [RELEASE_ANNOTATION]: 'remove' })),
      { order: { release: 'remove' } },
    );
    expect(await order(hub, 'orphan')).toMatchObject({ stored: false });
    expect(sent).toEqual([patched('orphan')]);
  });

  it('needs not be given where nothing runs', async () => {
    const { hub, sent } = hubWith(setWith(), { works: [] });
    expect(await order(hub)).toMatchObject({ stored: true });
    expect(sent).toEqual([]);
    await deleteApplicationSet(hub, REF, accessOf());
    expect(sent).toMatchObject([{ deleted: 'ApplicationSet' }]);
  });

  it('of an ApplicationSet that had the name before counts for nothing', async () => {
    const { hub } = hubWith(
      setWith(ours({ [RELEASE_ANNOTATION]: 'hand-over' })),
      { order: { uid: 'uid-0' } },
    );
    expect(await order(hub)).toMatchObject({ stored: false });
  });

  it('to keep workloads is refused where another Argo CD would delete them', async () => {
    const { hub, sent } = hubWith(setWith(), { pushes: true });
    await expect(order(hub)).rejects.toThrow(
      /has 1 Applications that are not of the pull model, such as work-1-shop/,
    );
    expect(sent).toEqual([]);
    expect(await order(hub, 'remove')).toMatchObject({ stored: false });
  });
});

describe('the withdrawal of an order', () => {
  const withdraw = (hub: ApiHub) => withdrawRelease(hub, REF, accessOf());
  const said = ours({ [RELEASE_ANNOTATION]: 'remove' });

  it('takes the annotation off, and is done when the controllers have ended the order', async () => {
    const first = hubWith(setWith(said), { order: {} });
    expect(await withdraw(first.hub)).toEqual({ ref: REF, stored: true });
    expect(first.sent).toEqual([patched(null)]);
    const ended = hubWith(setWith());
    expect(await withdraw(ended.hub)).toEqual({ ref: REF, stored: false });
    expect(ended.sent).toEqual([]);
  });

  it('waits while a work needs the order: its Application is gone, and its end has not begun', async () => {
    const { hub, cache, sent } = hubWith(setWith(said), { order: {} });
    const [work] = cache.works.list();
    const { deletionTimestamp: _, ...metadata } = work.metadata;
    const orphan = (resourceVersion: string, more: object = {}) =>
      cache.applyWriteResult('works', {
        ...work,
        metadata: {
          ...metadata,
          resourceVersion,
          uid: 'work-3',
          name: 'gone-app',
          annotations: {
            ...metadata.annotations,
            [HUB_APPLICATION_NAME_ANNOTATION]: 'gone-shop',
            ...more,
          },
        },
      });
    orphan('2');
    expect(await withdraw(hub)).toEqual({ ref: REF, stored: true });
    expect(sent).toEqual([]);
    orphan('3', { [RELEASING_ANNOTATION]: 'hand-over' });
    await withdraw(hub);
    expect(sent).toEqual([patched(null)]);
  });
});

describe('a deletion', () => {
  const said = ours({ [RELEASE_ANNOTATION]: 'hand-over' });

  it('is sent when an order is stored for every work, of the version that has the order', async () => {
    const { hub, sent } = hubWith(setWith(said), { order: {} });
    expect(await deleteApplicationSet(hub, REF, accessOf())).toEqual({
      ref: REF,
    });
    expect(sent).toEqual([
      {
        deleted: 'ApplicationSet',
        uid: 'uid-1',
        resourceVersion: '7',
        propagationPolicy: 'Foreground',
      },
    ]);
  });

  it('is done where it has begun', async () => {
    const { hub, sent } = hubWith(
      setWith({ ...ours(), deletionTimestamp: '2026-01-01T00:00:00Z' }),
    );
    expect(await deleteApplicationSet(hub, REF, accessOf())).toEqual({
      ref: REF,
    });
    expect(sent).toEqual([]);
  });

  it.each<[string, object, Partial<StoredOrder> | undefined]>([
    ['is not stored', said, undefined],
    ['lacks a work', said, { works: ['work-1'] }],
    ['is not said any more', ours(), {}],
    ['was for an earlier ApplicationSet', said, { uid: 'uid-0' }],
    ['is too old', said, { orderedAt: steadyNow() - 31 * MINUTES }],
  ])('is refused while the order %s', async (_, metadata, order) => {
    const { hub, sent } = hubWith(setWith(metadata), { order });
    await expect(deleteApplicationSet(hub, REF, accessOf())).rejects.toThrow(
      /is not deleted: it is not stored yet for each of its ManifestWorks/,
    );
    expect(sent).toEqual([]);
  });
});

describe('the deletion of a Placement', () => {
  it('is sent where nothing uses it', async () => {
    const { hub, sent } = hubWith(PLACEMENT);
    expect(await deletePlacement(hub, REF, accessOf())).toEqual({ ref: REF });
    expect(sent).toEqual([
      { deleted: 'Placement', uid: 'uid-1', resourceVersion: '7' },
    ]);
  });

  it('is refused to everybody while an ApplicationSet or an import of clusters uses it, and does not say which', async () => {
    const bySet = hubWith(PLACEMENT);
    bySet.cache.applyWriteResult('applicationSets', setWith());
    const byImport = hubWith(PLACEMENT);
    byImport.cache.applyWriteResult('gitOpsClusters', {
      apiVersion: 'apps.open-cluster-management.io/v1beta1',
      kind: 'GitOpsCluster',
      metadata: { namespace: 'argocd', name: 'import' },
      spec: {
        argoServer: { argoNamespace: 'argocd' },
        placementRef: {
          apiVersion: 'cluster.open-cluster-management.io/v1beta1',
          kind: 'Placement',
          name: 'shop',
        },
      },
    } as GitOpsCluster);
    for (const { hub, sent } of [bySet, byImport]) {
      await expect(
        deletePlacement(hub, REF, accessOf({ all: true })),
      ).rejects.toThrow(
        'Placement argocd/shop on hub "hub" stays: another ApplicationSet or an import of clusters takes its clusters from it',
      );
      expect(sent).toEqual([]);
    }
  });
});
