import { ConflictError, InputError, NotFoundError } from '@backstage/errors';
import type {
  ObjectRef,
  PlacementProposal,
  PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import { placementManifest } from '../model/placement';
import { placementRefusal, recordedOwner, withinGrant } from '../model/writes';
import type { ApiHub } from './apiHub';
import { refuse, requireGrant, requireRepository } from './hubWrites';
import { placementInUse } from './placementChange';
import { checkOwn, type OwnAccess } from './writeAccess';
import { checkPlacementRequest } from './writeRequests';

/**
 * What a pull request has to write into the Placement that a repository keeps, for a caller who may have the ApplicationSet
 * changed: by the policy, as one of its owners, and within what the configuration lets the portal write. Nothing is written.
 * @throws NotAllowedError; InputError for an illegal value; ConflictError where no repository keeps the Placement for this
 * ApplicationSet alone; as {@link placementInUse}
 */
export async function proposePlacement(
  hub: ApiHub,
  ref: ObjectRef,
  selection: PlacementSelection,
  access: OwnAccess,
): Promise<PlacementProposal> {
  checkPlacementRequest(ref, selection);
  const name = `The ApplicationSet ${objectKey(ref)} on hub "${ref.hub}"`;
  const object = hub.cache.applicationSets.get(objectKey(ref));
  if (!object) {
    throw new NotFoundError(`${name} was deleted`);
  }
  const owner = recordedOwner(object);
  checkOwn(access, { kind: 'ApplicationSet', ref }, { object, owner });
  const grant = requireGrant({ hub, ref, owner });
  refuse(placementRefusal(grant, selection), ref);
  const { repoURL } = object.spec.template?.spec?.source ?? {};
  if (!repoURL) {
    throw new InputError(
      `${name} has no single repository, so it is unknown which one keeps its Placement: change it there by hand`,
    );
  }
  requireRepository(grant, name, repoURL);
  const { placement, fixed, keptInGit } = await placementInUse(hub, ref);
  if (fixed !== undefined || !placement) {
    throw new ConflictError(
      `Where ${objectKey(ref)} runs cannot be changed by the portal. ${fixed}`,
    );
  }
  if (!keptInGit) {
    throw new ConflictError(
      `The Placement of ${objectKey(ref)} is the portal's, and not kept in Git: change it on the hub`,
    );
  }
  const { spec } = placementManifest(placement, withinGrant(grant, selection));
  return { placement, repoURL, spec: { ...spec } };
}
