import type {
  ArgoApplicationSet,
  PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../__testUtils__/emptyCache';
import {
  NAMESPACE,
  ownedBy,
  placementDecision,
  pullApplication,
  pullApplicationSet,
} from '../__testUtils__/objects';
import { FLEET_RESOURCES, NAMESPACED_SELECTORS } from './resources';
import type { ClusterWideResource } from './resources';
import type { ReflectorState } from '../kubernetes/informer';
import { hubState } from './hubState';

const listed: ReflectorState = { synced: true, relisting: false, since: 0 };
const states = Object.fromEntries(
  Object.keys(FLEET_RESOURCES)
    .filter(name => !(name in NAMESPACED_SELECTORS))
    .map(name => [name, listed]),
) as Record<ClusterWideResource, ReflectorState>;

it('has a finding while the certificate of the hub is not verified', () => {
  expect(hubState('hub', states, false).findings).toEqual([]);
  expect(hubState('hub', states, true)).toMatchObject({
    state: 'ready',
    findings: [{ code: 'AFC-409', severity: 'warning' }],
  });
});

it('counts the objects that cannot be read, other than those with a finding of their own', () => {
  const cache = emptyCache();
  expect(cache.state().findings).toEqual([]);
  const unreadable = { unreadable: 'nests deeper than 200 levels' };
  const set = pullApplicationSet('shop');
  cache.applyWriteResult('applicationSets', set as ArgoApplicationSet);
  const push = { labels: {} };
  for (const application of [
    pullApplication('pulled', 'one'),
    pullApplication('of-set', 'one', { ...push, ...ownedBy(set) }),
    pullApplication('of-no-set', 'one', {
      ...push,
      ...ownedBy(pullApplicationSet('gone')),
    }),
    pullApplication('standalone', 'one', push),
  ]) {
    cache.applyWriteResult('applications', { ...application, ...unreadable });
  }
  for (const number of [1, 2]) {
    cache.applyWriteResult('decisions', {
      ...(placementDecision('all', NAMESPACE, number) as PlacementDecision),
      ...unreadable,
    });
  }
  expect(cache.state().findings).toEqual([
    expect.objectContaining({
      code: 'AFC-400',
      message: expect.stringMatching(
        /: .*\bApplication \(2\).*\bPlacementDecision \(2\)/,
      ),
    }),
  ]);
});
