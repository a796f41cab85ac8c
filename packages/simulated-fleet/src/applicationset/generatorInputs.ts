import { PlacementDecision } from '../kubernetes/clusterTypes';
import { ConfigMap } from '../kubernetes/coreTypes';
import { ArgoCluster } from './argoClusters';

/** What generators look at; all of it in Argo CD's namespace. */
export interface GeneratorInputs {
  clusters: readonly ArgoCluster[];
  configMaps: readonly ConfigMap[];
  placementDecisions: readonly PlacementDecision[];
}
