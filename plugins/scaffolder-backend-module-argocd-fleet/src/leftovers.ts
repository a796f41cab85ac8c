import { commandLines } from './markdown';
import type { NamespacedName } from 'backstage-plugin-argocd-fleet-common';

/** An object that a failed run leaves on a hub. */
export interface Leftover extends NamespacedName {
  readonly kind: 'ApplicationSet' | 'Placement';
}

/** Full resource names for kubectl: a hub may serve other resources with the same short name. */
const RESOURCES: Record<Leftover['kind'], string> = {
  ApplicationSet: 'applicationsets.argoproj.io',
  Placement: 'placements.cluster.open-cluster-management.io',
};

/** Names the objects that a failed run leaves on a hub, and says how to change or remove them. */
export function describeLeftovers(
  hub: string,
  objects: readonly Leftover[],
): string {
  const names = objects.map(
    ({ kind, namespace, name }) => `${kind} ${namespace}/${name}`,
  );
  const consequence = objects.some(({ kind }) => kind === 'ApplicationSet')
    ? ' (which removes the application from its clusters)'
    : '';
  const [them, stay] = objects.length > 1 ? ['them', 'stay'] : ['it', 'stays'];
  return [
    '',
    `${names.join(' and ')} ${stay} on the hub "${hub}". Run this again with the same name to change ${them}, or, if nothing else needs ${them}, remove ${them}${consequence}:`,
    ...commandLines(
      objects
        .map(
          ({ kind, namespace, name }) =>
            `kubectl delete ${RESOURCES[kind]} ${name} -n ${namespace}`,
        )
        .join('\n'),
    ),
  ].join('\n');
}
