import { useState } from 'react';
import { refKey } from '../objectRef';
import { setStateOf } from '../status/SetHeadline';
import type { ResolvedLink } from './linkStates';

const ORDER = [
  'inTrouble',
  'noSet',
  'blocked',
  'paused',
  'running',
  'ok',
  'none',
] as const;

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
