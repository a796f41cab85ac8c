import type {
  ArgoApplication,
  ManagedCluster,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../__testUtils__/emptyCache';
import { managedCluster } from '../__testUtils__/objects';
import type { ApiHub } from '../api/apiHub';
import { createDeployedSets } from '../api/deployedSets';
import { NO_CATALOG_MAPPING } from '../model/views';
import { createFleetInventory, NO_LINKS } from '../api/fleetInventory';
import { viewChange } from '../api/viewChange';
import { objectKey } from '../kubernetes/client/client';
import {
  application,
  applicationSet,
} from '../model/__testUtils__/applications';
import { DEFAULT_PROPAGATION } from '../model/manifestwork';
import { tableRow } from '../model/views/applicationRow';
import { clusterApplication } from '../model/views/clusterApplication';
import type { FleetEvent } from './fleetCache';
import { createFleetReader } from './fleetReader';
import { applicationsOn } from './knownAgents';

const base64 = (text: string) => Buffer.from(text).toString('base64');

function agentSecret(agent: string, cluster = agent) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `cluster-${agent}`,
      namespace: 'argocd',
      uid: `secret-${agent}`,
      labels: { 'argocd-agent.argoproj-labs.io/agent-name': agent },
    },
    data: { name: base64(cluster) },
  };
}

function push(
  name: string,
  destination: ArgoApplication['spec']['destination'],
  namespace = 'openshift-gitops',
): ArgoApplication {
  return application({
    metadata: { name, uid: name, namespace, labels: {}, annotations: {} },
    spec: { destination },
  });
}

/** A hub where `edge` reports, without any cluster Secret. */
function hub(...applications: readonly ArgoApplication[]) {
  const cache = emptyCache();
  cache.watchNamespaces('clusterSecrets', new Set(['argocd']));
  cache.applyWriteResult('applicationSets', applicationSet());
  applications.forEach(each => cache.applyWriteResult('applications', each));
  cache.applyWriteResult('clusters', reporting('edge', 'True'));
  const reader = createFleetReader({
    cache,
    propagation: () => DEFAULT_PROPAGATION,
  });
  const row = (name: string) =>
    clusterApplication(
      reader.fleetApplication(
        [...cache.applications.list()].find(
          ({ metadata }) => metadata.name === name,
        )!,
        undefined,
      ),
    );
  return { cache, reader, row };
}

function reporting(name: string, status: string): ManagedCluster {
  const cluster = managedCluster(name);
  return {
    ...cluster,
    metadata: {
      ...cluster.metadata,
      resourceVersion: status === 'True' ? '1' : '2',
    },
    status: {
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status,
          lastTransitionTime: '2026-11-21T10:00:00Z',
          message: 'Registration agent stopped updating its lease.',
        },
      ],
    },
  };
}

const byName = push('by-name', { name: 'edge' });
const inNamespace = push('in-namespace', { name: 'in-cluster' }, 'edge');
const elsewhere = push('elsewhere', { name: 'other' });

it('gives each Application of a set its own model, once the Secret of an agent is known', () => {
  const { cache, row } = hub(byName, inNamespace, elsewhere);
  const models = () =>
    ['by-name', 'in-namespace', 'elsewhere'].map(name => [
      row(name).deliveryModel,
      row(name).cluster.name,
    ]);
  expect(models()).toEqual([
    ['push', 'edge'],
    ['push', 'in-cluster'],
    ['push', 'other'],
  ]);
  cache.applyWriteResult('clusterSecrets', agentSecret('edge'));
  expect(models()).toEqual([
    ['agent', 'edge'],
    ['agent', 'edge'],
    ['push', 'other'],
  ]);
});

it('makes the rows of an agent’s Applications again when its Secret appears', () => {
  const { cache } = hub(byName, inNamespace, elsewhere);
  const changed: string[][] = [];
  const sets = createDeployedSets(cache);
  const clusters: string[] = [];
  sets.onChange(cluster => clusters.push(cluster));
  cache.onChange((event: FleetEvent) => {
    changed.push(
      viewChange(event, cache).applications.map(({ metadata }) =>
        objectKey(metadata),
      ),
    );
  });
  cache.applyWriteResult('clusterSecrets', agentSecret('edge'));
  expect(changed).toEqual([['openshift-gitops/by-name', 'edge/in-namespace']]);
  expect(clusters).toEqual(['edge', 'in-cluster']);
});

it('tells the catalog the model of a set whose cluster an agent registers', async () => {
  const { cache, reader } = hub(byName);
  const inventory = createFleetInventory({
    linkedEntities: NO_LINKS,
    mapping: NO_CATALOG_MAPPING,
    hubs: [
      {
        hub: { name: 'hub', cache, reader } as ApiHub,
        deployedSets: createDeployedSets(cache),
      },
    ],
    hubStates: () => [],
  });
  const first = await inventory.changesSince(undefined);
  expect(first.applicationSets).toMatchObject([{ deliveryModel: 'push' }]);
  cache.applyWriteResult('clusterSecrets', agentSecret('edge'));
  const { applicationSets } = await inventory.changesSince(first.next);
  expect(applicationSets).toMatchObject([{ deliveryModel: 'agent' }]);
});

it('has the Applications of an agent’s namespace on its cluster', () => {
  const { cache } = hub(inNamespace, elsewhere);
  const sets = createDeployedSets(cache);
  const on = (cluster: string) =>
    applicationsOn(cluster, cache).map(({ metadata }) => metadata.name);
  expect([on('edge'), sets.of('edge')]).toEqual([[], []]);
  cache.applyWriteResult('clusterSecrets', agentSecret('edge'));
  cache.applyWriteResult('clusterSecrets', agentSecret('other-agent', 'other'));
  expect(on('edge')).toEqual(['in-namespace']);
  expect(on('other')).toEqual(['elsewhere']);
  expect(sets.of('edge')).toHaveLength(1);
});

it('gives them back to the clusters that they name when the Secret goes, or is no longer one of an agent', () => {
  const { cache, row } = hub(
    byName,
    push('in-namespace', { name: 'other' }, 'edge'),
  );
  cache.applyWriteResult('clusters', managedCluster('other'));
  const sets = createDeployedSets(cache);
  const state = () => ({
    models: ['by-name', 'in-namespace'].map(name => row(name).deliveryModel),
    cluster: row('in-namespace').cluster.name,
    sets: ['edge', 'other'].map(cluster => sets.of(cluster).length),
    named: applicationsOn('other', cache).length,
  });
  const without = {
    models: ['push', 'push'],
    cluster: 'other',
    sets: [1, 1],
    named: 1,
  };
  const withAgent = {
    models: ['agent', 'agent'],
    cluster: 'edge',
    sets: [2, 0],
    named: 0,
  };
  const secret = agentSecret('edge');
  const { labels: _, ...unlabelled } = secret.metadata;
  expect(state()).toEqual(without);
  cache.applyWriteResult('clusterSecrets', secret);
  expect(state()).toEqual(withAgent);
  cache.applyWriteResult('clusterSecrets', {
    ...secret,
    metadata: { ...unlabelled, resourceVersion: '2' },
  });
  expect(state()).toEqual(without);
  cache.applyWriteResult('clusterSecrets', {
    ...secret,
    metadata: { ...secret.metadata, resourceVersion: '3' },
  });
  expect(state()).toEqual(withAgent);
  cache.applyDeletion('clusterSecrets', secret);
  expect(state()).toEqual(without);
});

it('says that the cluster of an agent’s Application is silent, and shows its last state as stale', () => {
  const { cache, row } = hub(byName);
  cache.applyWriteResult('clusterSecrets', agentSecret('edge'));
  const codes = () =>
    row('by-name').steps.flatMap(({ finding }) => finding?.code ?? []);
  expect(codes()).not.toContain('AFC-201');

  cache.applyWriteResult('clusters', reporting('edge', 'Unknown'));
  const { steps, cluster, state } = row('by-name');
  expect({ stale: cluster.stale, state }).toEqual({
    stale: true,
    state: 'inTrouble',
  });
  expect(steps).toMatchObject([
    { id: 'application', state: 'done' },
    {
      id: 'synced',
      state: 'failed',
      at: '2026-11-21T10:00:00Z',
      finding: {
        code: 'AFC-201',
        evidence: 'Registration agent stopped updating its lease.',
      },
    },
    { id: 'healthy', state: 'waiting' },
  ]);
  expect(tableRow(row('by-name')).row.problem?.code).toBe('AFC-201');
});
