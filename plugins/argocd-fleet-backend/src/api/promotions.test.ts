import {
  argocdFleetApplicationSetUpdatePermission,
  type ApplicationRow,
  type ApplicationSetRows,
  type ArgoApplicationSet,
  type Source,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../__testUtils__/emptyCache';
import { pullApplicationSet } from '../__testUtils__/objects';
import type { ApiHub } from './apiHub';
import { preparePromotion } from './promotions';
import { ownAccess, TEAM, TEAM_WRITES } from './__testUtils__/ownAccess';
import type { OwnAccess } from './writeAccess';

const OLD = 'a'.repeat(40);
const NEW = 'b'.repeat(40);
const REPOSITORY = 'https://git.example.com/retail/shop.git';
function hubWith(
  owner: string | undefined = TEAM,
  writes: Partial<ApiHub['writes']> = {},
): ApiHub {
  const cache = emptyCache();
  const made = pullApplicationSet('production');
  cache.applyWriteResult('applicationSets', {
    ...made,
    metadata: {
      ...made.metadata,
      namespace: 'argocd',
      annotations: { ...(owner && { 'argocd-fleet/component-owner': owner }) },
    },
  } as ArgoApplicationSet);
  return {
    name: 'hub',
    cache,
    writes: { ...TEAM_WRITES, ...writes },
  } as ApiHub;
}

const accessOf = (more?: Parameters<typeof ownAccess>[1]) =>
  ownAccess(argocdFleetApplicationSetUpdatePermission, more);

const row = (
  cluster: string,
  running: string | undefined,
  more: Partial<ApplicationRow> = {},
) =>
  ({
    cluster: { name: cluster },
    application: { namespace: 'argocd', name: cluster },
    health: 'Healthy',
    sync: 'Synced',
    ...(running && { running }),
    ...more,
  }) as ApplicationRow;

const set = (
  name: string,
  applications: readonly ApplicationRow[],
  ...sources: Source[]
) =>
  ({
    ref: { hub: 'hub', namespace: 'argocd', name },
    sources,
    applications,
  }) as unknown as ApplicationSetRows;

const STAGING: Source = {
  repoURL: REPOSITORY,
  path: './overlays/staging/',
  targetRevision: 'main',
};
const PRODUCTION: Source = { ...STAGING, path: 'overlays/production' };

const FROM = set(
  'staging',
  [row('s1', NEW, { images: ['shop:2', 'proxy:1'] })],
  STAGING,
);
const TO = set(
  'production',
  [
    row('p1', OLD, { images: ['shop:1'] }),
    row('p2', OLD, { images: ['shop:1'], health: 'Degraded' }),
    row('p3', undefined, { images: ['shop:0'], sync: 'OutOfSync' }),
  ],
  PRODUCTION,
);

describe('a promotion', () => {
  it('says what both sides run, and where the files are', () => {
    expect(
      preparePromotion(hubWith(), accessOf(), { from: FROM, to: TO }),
    ).toEqual({
      from: {
        ref: FROM.ref,
        source: { ...STAGING, path: 'overlays/staging' },
        revision: NEW,
        ...{ clusters: 1, ready: 1 },
        images: [
          { image: 'proxy:1', clusters: 1 },
          { image: 'shop:2', clusters: 1 },
        ],
      },
      to: {
        ref: TO.ref,
        source: PRODUCTION,
        revision: OLD,
        ...{ clusters: 3, ready: 1 },
        images: [
          { image: 'shop:0', clusters: 1 },
          { image: 'shop:1', clusters: 2 },
        ],
      },
    });
  });

  it('takes the revision of most clusters, and counts a cluster with one that lags as not ready', () => {
    const from = set(
      'staging',
      [
        row('s1', OLD),
        row('s2', NEW),
        row('s3', NEW),
        // A second Application on the same cluster.
        row('s3', OLD),
      ],
      STAGING,
    );
    from.applications.push(row('s4', NEW));
    const { revision, clusters, ready } = preparePromotion(
      hubWith(),
      accessOf(),
      { from, to: TO },
    ).from;
    expect({ revision, clusters, ready }).toEqual({
      ...{ revision: NEW, clusters: 4, ready: 2 },
    });
  });

  it.each<[string, OwnAccess, ApiHub, RegExp]>([
    [
      'somebody whom the policy does not allow it',
      accessOf({ allows: false }),
      hubWith(),
      /production on hub "hub" may not be changed by you: your permission argocd-fleet.application-set.update/,
    ],
    [
      'a member of another team',
      accessOf({ groups: ['group:default/other'] }),
      hubWith(),
      /belongs to group:default\/retail, which is neither you/,
    ],
    [
      'anybody with conditions, where no owner is recorded',
      accessOf(),
      hubWith(''),
      /has no recorded owner/,
    ],
    [
      'an owner whom the configuration does not name, even with every permission',
      accessOf({ all: true }),
      hubWith('group:default/other'),
      /group:default\/other is not allowed; writes\[0\].owners/,
    ],
    [
      'everybody in a namespace without a grant',
      accessOf({ all: true }),
      hubWith(TEAM, { grants: [] }),
      /may not write in the namespace argocd/,
    ],
    [
      'everybody in a repository without a grant',
      accessOf({ all: true }),
      hubWith(TEAM, {
        grants: [
          {
            ...TEAM_WRITES.grants[0],
            repositories: ['https://git.example.com/x'],
          },
        ],
      }),
      /shop.git, which the portal may not change; writes\[0\].repositories allows https:\/\/git.example.com\/x/,
    ],
  ])('is refused to %s', (_, access, hub, message) => {
    expect(() => preparePromotion(hub, access, { from: FROM, to: TO })).toThrow(
      expect.objectContaining({
        name: 'NotAllowedError',
        message: expect.stringMatching(message),
      }),
    );
  });

  it.each([
    ['main', NEW],
    ['v1.2.0', 'v1.2.0'],
    ['release-2', NEW],
  ])(
    'of the same folder, kept in Git, names the revision: of %s %s',
    (targetRevision, expected) => {
      const hub = hubWith();
      const kept = hub.cache.applicationSets.get('argocd/production')!;
      const { annotations } = kept.metadata;
      hub.cache.applyWriteResult('applicationSets', {
        ...kept,
        metadata: {
          ...kept.metadata,
          resourceVersion: '2',
          annotations: {
            ...annotations,
            'argocd.argoproj.io/tracking-id': 'shop-fleet:it',
          },
        },
      } as ArgoApplicationSet);
      const from = set('staging', [row('s1', NEW)], {
        ...PRODUCTION,
        targetRevision,
      });
      const prepared = preparePromotion(hub, accessOf(), { from, to: TO });
      expect(prepared.targetRevision).toBe(expected);
    },
  );

  const elsewhere = { ...STAGING, repoURL: 'https://git.example.com/x/y' };
  it.each<[string, ApplicationSetRows, ApplicationSetRows, string, RegExp]>([
    [
      'another repository',
      set('staging', [row('s1', NEW)], elsewhere),
      TO,
      'InputError',
      /staging on hub "hub" deploys from https:\/\/git.example.com\/x\/y, and argocd\/production from/,
    ],
    [
      'the same folder',
      set('staging', [row('s1', NEW)], {
        ...PRODUCTION,
        // The same repository by another address.
        repoURL: 'git@git.example.com:retail/shop',
        targetRevision: 'v2',
      }),
      TO,
      'InputError',
      /the same folder, overlays\/production:/,
    ],
    [
      'several sources',
      set('staging', [row('s1', NEW)], STAGING, STAGING),
      TO,
      'InputError',
      /staging on hub "hub" has 2 sources/,
    ],
    [
      'a Helm chart',
      FROM,
      set('production', [], { repoURL: 'https://charts', chart: 'shop' }),
      'InputError',
      /production on hub "hub" has the Helm chart shop/,
    ],
    [
      'no source',
      FROM,
      set('production', []),
      'InputError',
      /production on hub "hub" has no source/,
    ],
    ...['../../other/x', 'a/../..', '..'].map(
      (
        path,
      ): [string, ApplicationSetRows, ApplicationSetRows, string, RegExp] => [
        `the folder ${path}`,
        set('staging', [row('s1', NEW)], { ...STAGING, path }),
        TO,
        'InputError',
        /staging on hub "hub" has a folder outside of its repository/,
      ],
    ),
    ...['main', `${NEW}/../x`, '../../other', `${NEW} `].map(
      (
        revision,
      ): [string, ApplicationSetRows, ApplicationSetRows, string, RegExp] => [
        `the revision ${revision} that a cluster reports`,
        set('staging', [row('s1', revision)], STAGING),
        TO,
        'ConflictError',
        /runs on no cluster yet/,
      ],
    ),
    [
      'nothing that runs',
      set('staging', [row('s1', undefined)], STAGING),
      TO,
      'ConflictError',
      /staging on hub "hub" runs on no cluster yet/,
    ],
  ])('is refused for %s', (_, from, to, name, message) => {
    expect(() => preparePromotion(hubWith(), accessOf(), { from, to })).toThrow(
      expect.objectContaining({
        name,
        message: expect.stringMatching(message),
      }),
    );
  });
});
