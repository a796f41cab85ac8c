import { NAMESPACE } from '../../../__testUtils__/objects';
import { TENANT_CLUSTER } from '../../faults/__testUtils__/hostileApplications';

/** Namespace of the hub's Argo CD, which clusters are imported into. */
export const ARGO_CD = NAMESPACE;
/** Hub namespace of the team that is attacked. */
export const VICTIM = 'victims';
/** Hub namespace of the hostile team. */
export const TENANT = 'tenants';
/** Hub namespace of the hostile team, too, whose ApplicationSets may define components of the catalog. */
export const TENANT_IN_CATALOG = 'tenants-in-catalog';
/** Hub namespace of a team whose changes show that the backend still works. */
export const CANARY = 'canaries';

/** A cluster that only the victims may deliver to. */
export const VICTIMS_CLUSTER = 'one';
/** A cluster that every team may deliver to. */
export const SHARED_CLUSTER = 'shared';
/** A cluster that only the tenant may deliver to. */
export const TENANTS_CLUSTER = TENANT_CLUSTER;
/** A cluster whose agent is hostile; the tenant and the canary deliver to it. */
export const BREACHED = 'breached';

/** The clusters that a Placement `all` of each namespace selects. */
export const SELECTED: Readonly<Record<string, readonly string[]>> = {
  [VICTIM]: [VICTIMS_CLUSTER, SHARED_CLUSTER],
  [TENANT]: [TENANTS_CLUSTER, SHARED_CLUSTER, BREACHED],
  [CANARY]: [SHARED_CLUSTER, BREACHED],
  [ARGO_CD]: [VICTIMS_CLUSTER, SHARED_CLUSTER, BREACHED],
};
