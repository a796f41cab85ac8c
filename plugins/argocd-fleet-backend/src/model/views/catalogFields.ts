import type {
  CatalogFields,
  KubernetesObject,
  ManagedCluster,
} from 'backstage-plugin-argocd-fleet-common';
import { shownText } from '../text';

/** A label or an annotation of an object on the hub. */
export interface FieldSource {
  readonly from: 'labels' | 'annotations';
  readonly key: string;
}

/** Where the fields of an entity come from. */
export interface FieldMapping {
  readonly owner?: FieldSource;
  readonly lifecycle?: FieldSource;
  readonly system?: FieldSource;
  readonly tags: readonly FieldSource[];
}

/** What the entities of managed clusters and ApplicationSets say, besides what they are. */
export interface CatalogMapping {
  readonly clusters: FieldMapping & {
    /** How Backstage's kubernetes plugin authenticates; undefined where it is not to find clusters in the catalog. */
    readonly kubernetesAuthProvider?: string;
  };
  readonly applicationSets: FieldMapping;
}

/** Nothing besides what they are. */
export const NO_CATALOG_MAPPING: CatalogMapping = {
  clusters: { tags: [] },
  applicationSets: { tags: [] },
};

/** Characters of a field: no name, tag or reference is longer. */
const MAX_VALUE = 200;

/** Reads `label:<key>` or `annotation:<key>`; undefined for anything else. */
export function parseFieldSource(text: string): FieldSource | undefined {
  const [, kind, key] = /^(label|annotation):(\S+)$/.exec(text) ?? [];
  return key === undefined
    ? undefined
    : { from: kind === 'label' ? 'labels' : 'annotations', key };
}

/** The fields of an object's entity. Whether a value is valid for the catalog is decided where the entity is made. */
export function mappedFields(
  { metadata }: KubernetesObject,
  { owner, lifecycle, system, tags }: FieldMapping,
): CatalogFields {
  const valueOf = (source: FieldSource | undefined) => {
    const value = source && metadata[source.from]?.[source.key];
    return value && value.length <= MAX_VALUE ? shownText(value) : undefined;
  };
  const values = tags.flatMap(source => valueOf(source) ?? []);
  return withoutUndefined({
    owner: valueOf(owner),
    lifecycle: valueOf(lifecycle),
    system: valueOf(system),
    tags: values.length > 0 ? values : undefined,
  });
}

const CONSOLE_CLAIM = 'consoleurl.cluster.open-cluster-management.io';
const CLUSTER_ID_LABEL = 'clusterID';

/** The fields of a cluster's entity, with what Backstage's kubernetes plugin and the community's OCM plugin read. */
export function clusterFields(
  cluster: ManagedCluster,
  mapping: CatalogMapping['clusters'],
): CatalogFields {
  const { spec, status, metadata } = cluster;
  const console = status?.clusterClaims?.find(
    ({ name }) => name === CONSOLE_CLAIM,
  )?.value;
  const clusterId = metadata.labels?.[CLUSTER_ID_LABEL];
  // Argo CD too uses the first one.
  const [api] = spec?.managedClusterClientConfigs ?? [];
  const { kubernetesAuthProvider } = mapping;
  const annotations = {
    ...(clusterId && { 'janus-idp.io/ocm-cluster-id': shownText(clusterId) }),
    ...(kubernetesAuthProvider &&
      api?.url &&
      isWebAddress(api.url, 'https:') &&
      api.caBundle && {
        'kubernetes.io/api-server': api.url,
        'kubernetes.io/api-server-certificate-authority': api.caBundle,
        'kubernetes.io/auth-provider': kubernetesAuthProvider,
      }),
  };
  return {
    ...mappedFields(cluster, mapping),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(console &&
      isWebAddress(console, 'https:', 'http:') && {
        links: [{ url: console, title: 'Console' }],
      }),
  };
}

/** Longest URL that becomes a link. */
const MAX_URL = 2_000;

function isWebAddress(text: string, ...protocols: string[]): boolean {
  return (
    text.length <= MAX_URL &&
    URL.canParse(text) &&
    protocols.includes(new URL(text).protocol)
  );
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as T;
}
