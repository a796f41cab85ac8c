import type {
  ConfigMap,
  Deployment,
} from 'backstage-plugin-argocd-fleet-common';
import {
  deploymentsLikeRhacm,
  propagatingDeployment,
} from './rhacmPropagation';

const NAMESPACE = 'open-cluster-management';

function deployment(
  availableReplicas?: number,
  { name = 'multicluster-integrations', namespace = NAMESPACE } = {},
): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name },
    status: { availableReplicas },
  };
}

function config(text: string, namespace = NAMESPACE): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: 'multicluster-integrations-config' },
    data: { 'config.yaml': text },
  };
}

const OFF = 'pullModel:\n  basic:\n    disabled: true\n';

describe('RHACM’s own propagation', () => {
  it.each<[string, boolean, Deployment[], ConfigMap[]]>([
    ['does not exist', false, [], []],
    ['is available', true, [deployment(1)], []],
    ['is not available', false, [deployment(0)], []],
    ['has no status yet', false, [deployment()], []],
    ['has another name', false, [deployment(1, { name: 'other' })], []],
    [
      'is in another namespace than RHACM',
      false,
      [deployment(1, { namespace: 'tenants' })],
      [],
    ],
    ['is disabled', false, [deployment(1)], [config(OFF)]],
    [
      'is disabled in another namespace',
      true,
      [deployment(1)],
      [config(OFF, 'elsewhere')],
    ],
    [
      'is explicitly enabled',
      true,
      [deployment(1)],
      [config('pullModel: {basic: {disabled: false}}')],
    ],
    ['has an empty configuration', true, [deployment(1)], [config('')]],
    [
      'has a configuration that is not YAML',
      true,
      [deployment(1)],
      [config('{')],
    ],
    [
      'has a string in place of the boolean',
      true,
      [deployment(1)],
      [config('pullModel: {basic: {disabled: "true"}}')],
    ],
  ])('%s', (_, active, deployments, configMaps) => {
    expect(propagatingDeployment(NAMESPACE, deployments, configMaps)).toBe(
      active ? deployments[0] : undefined,
    );
  });

  it('is seen beside decoys, which are told apart', () => {
    const decoys = ['a', 'b'].map(namespace => deployment(1, { namespace }));
    const idle = deployment(0, { namespace: 'c' });
    const own = deployment(1);
    const all = [...decoys, idle, own];
    expect(propagatingDeployment(NAMESPACE, all, [])).toBe(own);
    expect(deploymentsLikeRhacm(NAMESPACE, all)).toEqual(decoys);
    expect(deploymentsLikeRhacm('a', all)).toEqual([decoys[1], own]);
  });

  const OFF_IN_FLOW = 'pullModel: {basic: {disabled: true}}';
  it.each([
    ['nests deeper than the stack', `${OFF_IN_FLOW}\nx: ${'['.repeat(4_000)}`],
    ['is longer than any of RHACM’s', `${OFF_IN_FLOW}\n#${'x'.repeat(5_000)}`],
    ['has aliases', `x: &x ${OFF_IN_FLOW.slice(11)}\npullModel: *x`],
  ])('is not disabled by a ConfigMap that %s', (_, text) => {
    const own = deployment(1);
    expect(propagatingDeployment(NAMESPACE, [own], [config(text)])).toBe(own);
  });
});
