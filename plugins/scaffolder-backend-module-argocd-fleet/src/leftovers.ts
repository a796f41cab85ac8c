import type { NamespacedName } from 'backstage-plugin-argocd-fleet-common';

/** An object on a hub that outlives a run that failed. */
export interface Leftover extends NamespacedName {
  readonly kind: 'ApplicationSet' | 'Placement';
}

/** As kubectl takes them: in full, because a hub may serve other resources of the same short name. */
const RESOURCES: Record<Leftover['kind'], string> = {
  ApplicationSet: 'applicationsets.argoproj.io',
  Placement: 'placements.cluster.open-cluster-management.io',
};

/** What stays on a hub after a failure, and how to go on or to be rid of it. */
export function describeLeftovers(
  hub: string,
  objects: readonly Leftover[],
): string {
  const names = objects.map(
    ({ kind, namespace, name }) => `${kind} ${namespace}/${name}`,
  );
  const consequence = objects.some(({ kind }) => kind === 'ApplicationSet')
    ? ' (which takes the application off its clusters)'
    : '';
  const them = objects.length > 1 ? 'them' : 'it';
  return [
    `${names.join(' and ')} ${
      objects.length > 1 ? 'stay' : 'stays'
    } on the hub "${hub}". Run this again with the same name to change ${them}, or, where nothing else needs ${them}, remove ${them}${consequence}:`,
    ...objects.map(
      ({ kind, namespace, name }) =>
        `    kubectl delete ${RESOURCES[kind]} ${name} -n ${namespace}`,
    ),
  ].join('\n');
}
