import type { ObjectRef } from 'backstage-plugin-argocd-fleet-common';

/** Identifies an object among those of all hubs: `<hub>:<namespace>/<name>`. */
export function refKey({ hub, namespace, name }: ObjectRef): string {
  return `${hub}:${namespace}/${name}`;
}
