import type { Permission } from '@backstage/plugin-permission-common';
import type { HubWrites } from '../../model/writes';
import type { OwnAccess } from '../writeAccess';

export const TEAM = 'group:default/retail';

/** What the portal may write in the namespace `argocd`, for {@link TEAM} alone. */
export const TEAM_WRITES: HubWrites = {
  key: 'writes',
  argocdNamespace: 'argocd',
  grants: [
    {
      key: 'writes[0]',
      namespaces: ['argocd'],
      owners: [TEAM],
      projects: ['default'],
      repositories: ['https://git.example.com/retail'],
      destinationNamespaces: ['*'],
      clusterLabels: {},
    },
  ],
};

/** What a member of these groups may do, about all objects or none. */
export function ownAccess(
  permission: Permission,
  more: {
    readonly all?: boolean;
    readonly allows?: boolean;
    readonly reads?: boolean;
    readonly groups?: readonly string[];
  } = {},
): OwnAccess {
  const { all = false, allows = true, reads = true, groups = [TEAM] } = more;
  const decided = (allowed: boolean) => ({
    all,
    allows: () => allowed,
    mightAllow: () => allowed,
  });
  return {
    permission,
    decision: decided(allows),
    read: decided(reads),
    ownershipRefs: new Set(groups),
  };
}
