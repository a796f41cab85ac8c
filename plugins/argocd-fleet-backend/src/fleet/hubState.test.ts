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
