import type {
  ConfigMap,
  Deployment,
} from 'backstage-plugin-argocd-fleet-common';
import { propagatingDeployment } from './rhacmPropagation';

const NAMESPACE = 'open-cluster-management';

function deployment(availableReplicas?: number, name?: string): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      namespace: NAMESPACE,
      name: name ?? 'multicluster-integrations',
    },
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
    ['is not there', false, [], []],
    ['is available', true, [deployment(1)], []],
    ['is not available', false, [deployment(0)], []],
    ['has no status yet', false, [deployment()], []],
    ['is something else', false, [deployment(1, 'other')], []],
    ['is switched off', false, [deployment(1)], [config(OFF)]],
    [
      'is switched off in another namespace',
      true,
      [deployment(1)],
      [config(OFF, 'elsewhere')],
    ],
    [
      'is left on',
      true,
      [deployment(1)],
      [config('pullModel: {basic: {disabled: false}}')],
    ],
    ['has a switch without a word', true, [deployment(1)], [config('')]],
    ['has a switch that is no YAML', true, [deployment(1)], [config('{')]],
    [
      'has a switch of another meaning',
      true,
      [deployment(1)],
      [config('pullModel: {basic: {disabled: "true"}}')],
    ],
  ])('%s', (_, active, deployments, switches) => {
    expect(propagatingDeployment(deployments, switches)).toBe(
      active ? deployments[0] : undefined,
    );
  });
});
