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
    ['does not exist', false, [], []],
    ['is available', true, [deployment(1)], []],
    ['is not available', false, [deployment(0)], []],
    ['has no status yet', false, [deployment()], []],
    ['has another name', false, [deployment(1, 'other')], []],
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
    expect(propagatingDeployment(deployments, configMaps)).toBe(
      active ? deployments[0] : undefined,
    );
  });
});
