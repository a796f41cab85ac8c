import type {
  FleetCache,
  FleetReader,
  RemovalState,
  SharedClusters,
} from '../fleet';
import type { KubernetesClient } from '../kubernetes/client';
import type { HubWrites } from '../model/writes';
import type { ControllerRunner } from '../runtime';
import type { ResourceSources } from '../sources';

/** What the API needs of one hub. */
export interface ApiHub {
  readonly name: string;
  readonly client: KubernetesClient;
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  /** What the portal may write there for its users. */
  readonly writes: HubWrites;
  readonly runners: readonly Pick<ControllerRunner, 'status'>[];
  readonly resourceSources?: Pick<ResourceSources, 'findings' | 'onChange'>;
  readonly sharedClusters?: SharedClusters;
  /** What is decided about the deletion of works. */
  readonly removalState?: Pick<
    RemovalState,
    'onChange' | 'orderOf' | 'refresh'
  >;
}
