import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { useState } from 'react';
import { refKey } from '../objectRef';
import type { ClusterStateName } from '../status/presentation';
import type { ResolvedLink } from './linkStates';

/** The worst state of an ApplicationSet's clusters; an error of the set itself is trouble too. `none` has no clusters. */
export function setStateOf({
  summary: { clusters, state },
  findings,
}: ApplicationSet): ClusterStateName | 'none' {
  if (
    state.inTrouble > 0 ||
    findings.some(({ severity }) => severity === 'error')
  ) {
    return 'inTrouble';
  }
  if (state.inProgress > 0) {
    return 'inProgress';
  }
  return clusters > 0 ? 'ok' : 'none';
}

const ORDER = ['inTrouble', 'noSet', 'inProgress', 'ok', 'none'] as const;

function rankOf(resolved: ResolvedLink): number {
  return ORDER.indexOf(
    resolved.state === 'found' ? setStateOf(resolved.set) : 'noSet',
  );
}

/**
 * The links with those in trouble first, as they were when the component was mounted: nothing moves under the reader.
 * Later links come last.
 */
export function useTroubleFirst(
  links: readonly ResolvedLink[],
): ResolvedLink[] {
  const [order] = useState(() =>
    [...links]
      .sort((a, b) => rankOf(a) - rankOf(b))
      .map(({ link }) => refKey(link.ref)),
  );
  const positionOf = ({ link }: ResolvedLink) => {
    const position = order.indexOf(refKey(link.ref));
    return position < 0 ? order.length : position;
  };
  return [...links].sort((a, b) => positionOf(a) - positionOf(b));
}
