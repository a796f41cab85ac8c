import { PlacementDecision } from '../kubernetes/clusterTypes';
import { ConfigMap } from '../kubernetes/coreTypes';
import { ArgoCluster } from './argoClusters';

/** The hub objects that generators read, all from Argo CD's namespace. */
export interface GeneratorInputs {
  clusters: readonly ArgoCluster[];
  configMaps: readonly ConfigMap[];
  placementDecisions: readonly PlacementDecision[];
}
