import { ConflictError, InputError, NotAllowedError } from '@backstage/errors';
import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type GitOpsCluster,
  type GitOpsClusterRequest,
  type ObjectRef,
  type Placement,
  type WriteResult,
} from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES } from '../fleet';
import { findObject, objectKey, type ResourceType } from '../kubernetes/client';
import { selectedPlacementRefusal } from '../model/writes';
import type { ApiHub } from './apiHub';
import { refuse, requireGrant } from './hubWrites';
import { requireSync } from './placementUse';
import type { WriteAccess } from './writeAccess';
import { checkPlacementName, checkRef } from './writeRequests';

/**
 * Makes sure that a GitOpsCluster has the clusters of a Placement imported into the hub's Argo CD, so that ApplicationSets can
 * name them. One that does so already is left as it is, whatever its name. No credentials of clusters are imported.
 * @returns with the name of the GitOpsCluster that does it
 * @throws InputError for an illegal name, or a Placement that does not exist; NotAllowedError where the caller may not write
 * every ApplicationSet (Argo CD knows its clusters for all), or the configuration does not allow it; ConflictError where the
 * name is taken, or the hub has no such resource; HubUnavailableError while its GitOpsClusters are not known
 */
export async function putGitOpsCluster(
  hub: ApiHub,
  ref: ObjectRef,
  body: GitOpsClusterRequest,
  { create, update }: Pick<WriteAccess, 'create' | 'update'>,
): Promise<WriteResult> {
  checkRef(ref);
  checkPlacementName('placement', body.placement);
  if (!create.all || !update.all) {
    throw new NotAllowedError(
      `You may not have clusters imported on hub "${ref.hub}": only who may create and change every ApplicationSet may, since Argo CD then knows them for everybody. Ask an administrator of this portal.`,
    );
  }
  const grant = requireGrant({ hub, ref, owner: undefined });
  const { cache, client, writes } = hub;
  if (cache.isNotServed('gitOpsClusters')) {
    throw new ConflictError(
      `The hub "${ref.hub}" has no resource GitOpsCluster. On RHACM it is there; without it, clusters reach Argo CD in another way, and nothing is missing.`,
    );
  }
  requireSync(cache, 'gitOpsClusters');
  const { namespace } = ref;
  const placement = { namespace, name: body.placement };
  const argoServer = { argoNamespace: writes.argocdNamespace };
  const [importing] = cache.gitOpsClusters
    .by('placement', objectKey(placement))
    .filter(
      ({ metadata, spec }) =>
        !metadata.deletionTimestamp &&
        spec?.argoServer?.argoNamespace === argoServer.argoNamespace,
    );
  if (importing) {
    const { name } = importing.metadata;
    return { ref: { ...ref, name }, result: 'unchanged' };
  }
  if (cache.gitOpsClusters.get(objectKey(ref))) {
    throw new ConflictError(
      `GitOpsCluster ${objectKey(ref)} exists on hub "${ref.hub}" already and imports other clusters, or into another Argo CD, so it is not overwritten. Choose another name.`,
    );
  }
  const selected = await findObject(
    client,
    FLEET_RESOURCES.placements as ResourceType<Placement>,
    placement,
  );
  if (!selected) {
    throw new InputError(
      `placement: there is no Placement ${objectKey(placement)} on hub "${ref.hub}". Create it first`,
    );
  }
  refuse(selectedPlacementRefusal(grant, selected), ref);
  const resource = FLEET_RESOURCES.gitOpsClusters;
  const wanted: GitOpsCluster = {
    apiVersion: `${resource.group}/${resource.version}`,
    kind: 'GitOpsCluster',
    metadata: {
      ...{ namespace, name: ref.name },
      labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
    },
    spec: {
      argoServer,
      placementRef: { ...placement, kind: 'Placement' },
    },
  };
  await client.create(resource, wanted, { dryRun: true });
  const created = await client.create(resource, wanted);
  cache.applyWriteResult('gitOpsClusters', created);
  return { ref, result: 'created' };
}
