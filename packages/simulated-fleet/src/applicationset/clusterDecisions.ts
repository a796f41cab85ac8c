import {
  ApplicationSet,
  ApplicationSetGenerator,
} from '../kubernetes/argocdTypes';
import { PlacementDecision } from '../kubernetes/clusterTypes';
import { ConfigMap, Secret } from '../kubernetes/coreTypes';
import { matchesLabels } from '../placement/labelSelector';
import { TemplateParams } from './renderTemplate';

/** A cluster that Argo CD knows, from its Secret. */
export interface ArgoCluster {
  name: string;
  server: string;
}

/** What generators look at; all of it in Argo CD's namespace. */
export interface GeneratorInputs {
  clusters: readonly ArgoCluster[];
  configMaps: readonly ConfigMap[];
  placementDecisions: readonly PlacementDecision[];
}

/** Argo CD's own cluster, which needs no Secret. */
export const IN_CLUSTER: ArgoCluster = {
  name: 'in-cluster',
  server: 'https://kubernetes.default.svc',
};

/** The clusters that Argo CD has Secrets for. */
export function argoClusters(secrets: readonly Secret[]): ArgoCluster[] {
  const text = (secret: Secret, field: string) =>
    Buffer.from(secret.data?.[field] ?? '', 'base64').toString('utf-8');
  return secrets
    .map(secret => ({
      name: text(secret, 'name'),
      server: text(secret, 'server').replace(/\/$/, ''),
    }))
    .filter(({ server }) => server !== '');
}

type Generator = NonNullable<
  ApplicationSetGenerator['clusterDecisionResource']
>;

/**
 * Parameters of the `clusterDecisionResource` generator: one set for each
 * decision whose cluster Argo CD has a Secret for.
 *
 * @throws Error in Argo CD's words when the generator is not usable.
 */
export function clusterDecisionParams(
  generator: Generator,
  applicationSet: ApplicationSet,
  inputs: GeneratorInputs,
): TemplateParams[] {
  const { configMapRef, name, labelSelector, values = {} } = generator;
  const duckType = inputs.configMaps.find(
    ({ metadata }) => metadata.name === configMapRef,
  )?.data;
  if (!duckType) {
    throw new Error(
      `error reading configMapRef: configmaps "${configMapRef}" not found`,
    );
  }
  if (!duckType.kind || !/.\//.test(duckType.apiVersion ?? '')) {
    throw new Error(
      'there is a problem with the apiVersion, kind or resourceName provided',
    );
  }
  const selects = Boolean(
    labelSelector?.matchLabels || labelSelector?.matchExpressions,
  );
  if (selects === Boolean(name)) {
    throw new Error(
      'there is a problem with the definition of the ClusterDecisionResource generator',
    );
  }
  if (duckType.kind !== 'placementdecisions') {
    throw new Error(
      `failed to get dynamic resources: the simulated ApplicationSet controller reads placementdecisions only, not ${duckType.kind}`,
    );
  }
  const resources = inputs.placementDecisions
    .filter(({ metadata }) =>
      name
        ? metadata.name === name
        : matchesLabels(labelSelector, metadata.labels ?? {}),
    )
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  if (resources.length === 0) {
    throw new Error('no clusterDecisionResources found');
  }
  const { matchKey, statusListKey = 'clusters' } = duckType;
  if (!matchKey) {
    return [];
  }
  const decisions = resources.flatMap(
    ({ status }) =>
      ((status as Record<string, unknown> | undefined)?.[statusListKey] ??
        []) as Record<string, unknown>[],
  );
  return decisions.flatMap(decision => {
    const wanted = String(decision[matchKey] ?? '');
    const cluster = inputs.clusters.find(known => known.name === wanted);
    if (!cluster) {
      return [];
    }
    const params: TemplateParams = {
      name: cluster.name,
      server: cluster.server,
    };
    for (const [key, value] of Object.entries(decision)) {
      params[key] = String(value);
    }
    return [
      applicationSet.spec?.goTemplate
        ? { ...params, ...(Object.keys(values).length > 0 && { values }) }
        : { ...params, ...prefixed(values) },
    ];
  });
}

function prefixed(values: Record<string, string>): TemplateParams {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`values.${key}`, value]),
  );
}
