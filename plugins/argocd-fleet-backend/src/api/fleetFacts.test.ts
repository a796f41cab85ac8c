import {
  CLUSTER_SET_LABEL,
  type ArgoApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../__testUtils__/emptyCache';
import {
  clusterSet,
  managedCluster,
  pullApplicationSet,
} from '../__testUtils__/objects';
import { createFleetFacts } from './fleetFacts';

it('the cluster sets of a cluster are unknown from when they may no longer be read', () => {
  let isKnown = true;
  const listeners = new Set<() => void>();
  const cache = {
    ...emptyCache(),
    // They were listed once.
    hasSynced: () => true,
    isKnown: () => isKnown,
    onStateChange(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  cache.applyWriteResult('clusterSets', clusterSet('team'));
  cache.applyWriteResult(
    'clusters',
    managedCluster('one', { [CLUSTER_SET_LABEL]: 'team' }),
  );
  const facts = createFleetFacts({
    hubs: [{ name: 'hub', cache }],
  });
  expect(facts.cluster('hub', 'one').clusterSets).toEqual(['team']);
  isKnown = false;
  listeners.forEach(listener => listener());
  expect(facts.cluster('hub', 'one').clusterSets).toBeUndefined();
});

it('links make nobody an owner unless the configuration says so', () => {
  const cache = emptyCache();
  const plain = pullApplicationSet('plain');
  cache.applyWriteResult('applicationSets', plain as ArgoApplicationSet);
  const { namespace = '', name } = plain.metadata;
  const ref = { hub: 'hub', namespace, name };
  const owners = ['group:default/team-a'];
  const factsWith = (linkedEntities?: { ownersOf(): readonly string[] }) =>
    createFleetFacts({ hubs: [{ name: 'hub', cache }], linkedEntities });
  expect(factsWith().applicationSet(ref).owners).toBeUndefined();
  expect(
    factsWith({ ownersOf: () => owners }).applicationSet(ref).owners,
  ).toEqual(owners);
});
