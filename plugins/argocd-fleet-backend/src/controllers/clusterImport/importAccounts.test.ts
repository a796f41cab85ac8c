import {
  PLACEMENT_LABEL,
  type GitOpsCluster,
  type PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../../__testUtils__/emptyCache';
import { managedCluster } from '../../__testUtils__/objects';
import { createMemoryImportAccountStore } from '../../database';
import { clusterSecret, type StoredSecret } from '../../model/clusterimport';
import { watchArgoNamespaces } from './argoNamespaces';
import { createPermittedAccounts } from './importAccounts';
import { importPermissions } from './importPermissions';

const SIGNAL = new AbortController().signal;

/** A GitOpsCluster that imports the cluster `one` into its own namespace. */
function gitOpsCluster(namespace: string, account: string): GitOpsCluster {
  return {
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: { name: 'all', namespace },
    spec: {
      argoServer: { argoNamespace: namespace },
      placementRef: { kind: 'Placement', name: 'all' },
      managedServiceAccountRef: account,
    },
  };
}

function decision(namespace: string): PlacementDecision {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: {
      name: 'all-1',
      namespace,
      labels: { [PLACEMENT_LABEL]: 'all' },
    },
    status: { decisions: [{ clusterName: 'one', reason: '' }] },
  };
}

/** The Secret of the cluster `one`, with credentials. */
function given(namespace: string, account?: string): StoredSecret {
  const secret = clusterSecret(
    managedCluster('one'),
    namespace,
    account === undefined
      ? undefined
      : { serviceAccount: account, server: 'https://one', fingerprint: 'x' },
  );
  return {
    ...secret,
    data: { ...secret.data, config: 'e30=' },
  } as StoredSecret;
}

function world() {
  const cache = {
    ...emptyCache(),
    waitForNamespaceSync: async () => undefined,
  };
  const permissions = importPermissions({ argocdNamespaces: {} });
  watchArgoNamespaces(cache, permissions);
  const store = createMemoryImportAccountStore();
  return {
    add(namespace: string, account: string, secret?: StoredSecret) {
      cache.applyWriteResult(
        'gitOpsClusters',
        gitOpsCluster(namespace, account),
      );
      cache.applyWriteResult('decisions', decision(namespace));
      if (secret) {
        cache.applyWriteResult('clusterSecrets', secret);
      }
    },
    /** As a backend that starts. */
    async start(configured: Record<string, string[]> = {}) {
      const accounts = createPermittedAccounts({
        cache,
        store,
        permissions,
        configured,
      });
      expect(accounts.permits('not', 'known')).toBe(
        !Object.hasOwn(configured, 'not'),
      );
      await accounts.ready(SIGNAL);
      return accounts;
    },
  };
}

it('permits what an Argo CD has a token of when the hub is first read, and nothing that comes later', async () => {
  const { add, start } = world();
  add('ours', 'fleet', given('ours', 'fleet'));
  add('rhacm', 'fleet', given('rhacm'));
  add('changed', 'other', given('changed', 'fleet'));
  add('none', 'fleet');
  add('pull', 'fleet', clusterSecret(managedCluster('one'), 'pull'));
  const permitted = async () => {
    const accounts = await start();
    return [
      'ours',
      'rhacm',
      'changed',
      'none',
      'pull',
      'tenant',
      'constructor',
    ].flatMap(namespace =>
      ['fleet', 'other'].flatMap(account =>
        accounts.permits(namespace, account) ? [`${namespace} ${account}`] : [],
      ),
    );
  };
  expect(await permitted()).toEqual(['ours fleet', 'rhacm fleet']);
  add('tenant', 'fleet', given('tenant', 'fleet'));
  add('none', 'fleet', given('none', 'fleet'));
  expect(await permitted()).toEqual(['ours fleet', 'rhacm fleet']);
});

it('permits what the configuration names for an Argo CD, and nothing else there', async () => {
  const { add, start } = world();
  add('ours', 'fleet', given('ours', 'fleet'));
  const accounts = await start({ ours: ['other'], all: ['*'], not: [] });
  expect(accounts.permits('constructor', 'fleet')).toBe(false);
  expect(accounts.permits('ours', 'other')).toBe(true);
  expect(accounts.permits('ours', 'fleet')).toBe(false);
  expect(accounts.permits('all', 'fleet')).toBe(true);
  expect(accounts.permits('not', 'fleet')).toBe(false);
});

it('asks the database again after it failed', async () => {
  const store = createMemoryImportAccountStore();
  let failures = 1;
  const accounts = createPermittedAccounts({
    cache: emptyCache(),
    store: {
      ...store,
      async accounts(hub) {
        failures -= 1;
        if (failures >= 0) {
          throw new Error('away');
        }
        return store.accounts(hub);
      },
    },
    permissions: importPermissions({ argocdNamespaces: {} }),
    configured: {},
  });
  await expect(accounts.ready(SIGNAL)).rejects.toThrow('away');
  await accounts.ready(SIGNAL);
  expect(accounts.permits('ours', 'fleet')).toBe(false);
});
