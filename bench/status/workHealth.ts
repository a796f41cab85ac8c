import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import { worksPath } from '../controllers/fleetObjects';
import type { HubCalls } from '../controllers/hubCalls';

export interface WorkName {
  readonly namespace: string;
  readonly name: string;
}

/** Changes the health that a work reports; resolves when the hub has it. */
export function createHealthChange(call: HubCalls['call']) {
  return async ({ namespace, name }: WorkName): Promise<void> => {
    const path = worksPath(namespace, name);
    const { status } = await call<ManifestWork>('GET', path);
    const manifests = status?.resourceStatus?.manifests ?? [];
    await call('PATCH', `${path}/status`, {
      status: {
        resourceStatus: {
          manifests: manifests.map(manifest => ({
            ...manifest,
            statusFeedback: {
              ...manifest.statusFeedback,
              values: manifest.statusFeedback?.values?.map(withOtherHealth),
            },
          })),
        },
      },
    });
  };
}

function withOtherHealth<
  Value extends {
    readonly name: string;
    readonly fieldValue: { readonly string?: string };
  },
>(value: Value): Value {
  const { name, fieldValue } = value;
  return name === 'healthStatus'
    ? {
        ...value,
        fieldValue: {
          ...fieldValue,
          string: fieldValue.string === 'Degraded' ? 'Progressing' : 'Degraded',
        },
      }
    : value;
}
