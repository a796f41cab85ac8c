import { InputError } from '@backstage/errors';
import {
  RELEASES,
  type ClusterNames,
  type ObjectRef,
  type PlacementInUse,
  type Release,
} from 'backstage-plugin-argocd-fleet-common';
import { describeRef } from '../fleetAccess';

/** What a run is going to do. @throws InputError where neither the portal nor a pull request can do it */
export function plannedChange(
  ref: ObjectRef,
  used: PlacementInUse | undefined,
) {
  const { placement, fixed, selection, change } = used ?? {};
  if (!used) {
    throw new InputError(
      `There is no ApplicationSet ${describeRef(ref)} that you may see`,
    );
  }
  if (fixed !== undefined || !placement || !change) {
    throw new InputError(
      `Where ${describeRef(ref)} runs cannot be changed by the portal. ${fixed}`,
    );
  }
  if (change.preview.selected === 0) {
    throw new InputError(
      `No cluster matches: ${describeRef(ref)} would run nowhere. To end it, retire it.`,
    );
  }
  return {
    placement: placement.name,
    owner: selection?.owner ?? null,
    joining: { ...change.joining },
    leaving: { ...change.leaving },
  };
}

/** @throws InputError where it is not said what becomes of what runs on clusters that are left */
export function checkLeaving(
  ref: ObjectRef,
  leaving: ClusterNames,
  release: Release | undefined,
): void {
  if (leaving.count > 0 && !release) {
    throw new InputError(
      `${describeRef(ref)} would leave ${describeNames(leaving)}: say what becomes of what runs there (leaving: ${RELEASES.join(', ')})`,
    );
  }
}

/** In words, also for Markdown: the names of clusters have nothing that it would read otherwise. */
export function describeNames({ count, names }: ClusterNames): string {
  const number = count === 1 ? 'one cluster' : `${count} clusters`;
  const more = count - names.length;
  if (names.length === 0) {
    return `${number}, as the hub chooses`;
  }
  return `${number}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
