import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type GitOpsCluster,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../__testUtils__/emptyCache';
import type { FleetCache } from '../fleet';
import { KubernetesError } from '../kubernetes/client';
import { TEAM_WRITES } from './__testUtils__/ownAccess';
import type { ApiHub } from './apiHub';
import { putGitOpsCluster } from './clusterImportWrites';
import type { WriteAccess } from './writeAccess';

const REF = { hub: 'hub', namespace: 'argocd', name: 'every' };
const BODY = { placement: 'every-cluster' };

const decided = (all: boolean) => ({
  all,
  allows: () => true,
  mightAllow: () => true,
});
const access = (all = true): Pick<WriteAccess, 'create' | 'update'> => ({
  create: decided(all),
  update: decided(true),
});

function imports(name: string, placement: string, argoNamespace = 'argocd') {
  return {
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: { name, namespace: 'argocd' },
    spec: {
      argoServer: { argoNamespace },
      placementRef: { kind: 'Placement', name: placement, namespace: 'argocd' },
    },
  } as GitOpsCluster;
}

/** A hub with a Placement, and what is sent to it. */
function hubWith(
  options: {
    readonly existing?: readonly GitOpsCluster[];
    readonly placement?: object;
    readonly more?: Partial<FleetCache>;
    readonly writes?: object;
  } = {},
) {
  const { existing = [], placement = { spec: {} }, more, writes } = options;
  const cache: FleetCache = {
    ...emptyCache(),
    unsyncedReasons: () => [],
    ...more,
  };
  for (const each of existing) {
    cache.applyWriteResult('gitOpsClusters', each);
  }
  const sent: { object: KubernetesObject; dryRun?: boolean }[] = [];
  const client = {
    get: async () => {
      if ('missing' in placement) {
        throw new KubernetesError('notFound', 'there is none');
      }
      return { metadata: { name: BODY.placement }, ...placement };
    },
    create: async (
      _: unknown,
      object: KubernetesObject,
      { dryRun }: { dryRun?: boolean } = {},
    ) => {
      sent.push({ object, ...(dryRun && { dryRun }) });
      return { ...object, metadata: { ...object.metadata, uid: 'u' } };
    },
  };
  const hub = {
    ...{ name: 'hub', cache, client },
    writes: { ...TEAM_WRITES, ...writes },
  } as unknown as ApiHub;
  return { hub, sent };
}

describe('the import of the clusters of a Placement', () => {
  it('is created once, as a dry run before, and is there the next time', async () => {
    const { hub, sent } = hubWith();
    expect(await putGitOpsCluster(hub, REF, BODY, access())).toEqual({
      ref: REF,
      result: 'created',
    });
    const made = {
      ...imports('every', BODY.placement),
      metadata: {
        ...{ name: 'every', namespace: 'argocd' },
        labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
      },
    };
    expect(sent).toEqual([{ object: made, dryRun: true }, { object: made }]);
    expect(
      await putGitOpsCluster(hub, { ...REF, name: 'again' }, BODY, access()),
    ).toEqual({ ref: REF, result: 'unchanged' });
    expect(sent).toHaveLength(2);
  });

  it('is not the one into another Argo CD, or one that is being deleted', async () => {
    const deleted = imports('gone', BODY.placement);
    const { hub } = hubWith({
      existing: [
        imports('elsewhere', BODY.placement, 'other-argocd'),
        {
          ...deleted,
          metadata: {
            ...deleted.metadata,
            deletionTimestamp: '2026-01-01T00:00:00Z',
          },
        },
      ],
    });
    expect(await putGitOpsCluster(hub, REF, BODY, access())).toMatchObject({
      result: 'created',
    });
  });

  it.each<[string, Parameters<typeof hubWith>[0], RegExp]>([
    [
      'a name of another import',
      { existing: [imports('every', 'other')] },
      /exists on hub "hub" already and imports other clusters/,
    ],
    [
      'a Placement that is missing',
      { placement: { missing: true } },
      /no Placement argocd\/every-cluster/,
    ],
    [
      'a namespace that is not allowed',
      { writes: { grants: [] } },
      /may not write in the namespace argocd/,
    ],
    [
      'a Placement that selects more than is allowed',
      {
        writes: {
          grants: [{ ...TEAM_WRITES.grants[0], clusterSets: ['shops'] }],
        },
      },
      /selects from other cluster sets/,
    ],
    [
      'a hub without the resource',
      { more: { isNotServed: () => true } },
      /has no resource GitOpsCluster/,
    ],
    [
      'a hub whose imports are not known',
      { more: { unsyncedReasons: () => ['not read yet'] } },
      /not read yet/,
    ],
  ])('is refused for %s, and nothing is sent', async (_, options, reason) => {
    const { hub, sent } = hubWith(options);
    await expect(putGitOpsCluster(hub, REF, BODY, access())).rejects.toThrow(
      reason,
    );
    expect(sent).toEqual([]);
  });

  it('is refused for who may write some ApplicationSets only, and nothing is sent', async () => {
    const { hub, sent } = hubWith();
    await expect(
      putGitOpsCluster(hub, REF, BODY, access(false)),
    ).rejects.toThrow(/only who may create and change/);
    expect(sent).toEqual([]);
  });

  it.each([
    [{ ...REF, name: 'A b' }, BODY],
    [REF, { placement: 'every cluster' }],
  ])('is refused for the illegal name in %j %j', async (ref, body) => {
    const { hub } = hubWith();
    await expect(putGitOpsCluster(hub, ref, body, access())).rejects.toThrow(
      /is invalid/,
    );
  });
});
