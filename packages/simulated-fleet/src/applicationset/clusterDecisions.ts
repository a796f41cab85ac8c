import {
  ApplicationSet,
  ApplicationSetGenerator,
} from '../kubernetes/argocdTypes';
import { matchesLabels } from '../placement/labelSelector';
import { withInCluster } from './argoClusters';
import { GeneratorInputs } from './generatorInputs';
import { GoStringMap } from './goValues';
import { TemplateParams } from './renderTemplate';
import { selectorError } from './selectors';

const PLACEMENT_DECISIONS = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'placementdecisions',
};

type Generator = NonNullable<
  ApplicationSetGenerator['clusterDecisionResource']
>;

/**
 * The parameters of the `clusterDecisionResource` generator: one set for each
 * decision whose cluster Argo CD knows.
 *
 * @throws Error in Argo CD's words if the generator is invalid.
 */
export function clusterDecisionParams(
  generator: Generator,
  applicationSet: ApplicationSet,
  inputs: GeneratorInputs,
): TemplateParams[] {
  const { name, labelSelector = {}, values = {} } = generator;
  const { matchKey, statusListKey } = duckTypeOf(generator, inputs);
  const error = selectorError(labelSelector, 'labels');
  if (error) {
    throw new Error(`failed to get dynamic resources: ${error}`);
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
  if (!matchKey) {
    return [];
  }
  const decisions = resources.flatMap(
    ({ status }) =>
      ((status as Record<string, unknown> | undefined)?.[
        statusListKey || 'clusters'
      ] ?? []) as Record<string, unknown>[],
  );
  const known = new Map(
    withInCluster(inputs.clusters)
      .reverse()
      .map(cluster => [cluster.name, cluster]),
  );
  const extraParams = valueParams(values, applicationSet);
  return decisions.flatMap(decision => {
    const desired = decision[matchKey];
    const cluster =
      typeof desired === 'string' && desired !== ''
        ? known.get(desired)
        : undefined;
    return cluster
      ? [
          {
            name: cluster.name,
            server: cluster.server,
            ...decision,
            ...extraParams,
          },
        ]
      : [];
  });
}

/** The data of the ConfigMap that defines the decision resources and their fields. */
function duckTypeOf(
  { configMapRef, name, labelSelector }: Generator,
  { configMaps }: GeneratorInputs,
): Record<string, string> {
  const duckType = configMaps.find(
    ({ metadata }) => metadata.name === configMapRef,
  );
  if (!duckType) {
    throw new Error(
      `error reading configMapRef: configmaps "${configMapRef}" not found`,
    );
  }
  const { apiVersion = '', kind, ...keys } = duckType.data ?? {};
  if (!kind || apiVersion.indexOf('/') < 1) {
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
  if (
    kind !== PLACEMENT_DECISIONS.kind ||
    apiVersion !== PLACEMENT_DECISIONS.apiVersion
  ) {
    throw new Error(
      `failed to get dynamic resources: the simulated ApplicationSet controller reads ${PLACEMENT_DECISIONS.kind} of ${PLACEMENT_DECISIONS.apiVersion} only, not ${kind} of ${apiVersion}`,
    );
  }
  return keys;
}

/** The parameters of `values`, which this generator does not render. */
function valueParams(
  values: Readonly<Record<string, string>>,
  applicationSet: ApplicationSet,
): TemplateParams {
  const entries = Object.entries(values);
  if (applicationSet.spec?.goTemplate) {
    return entries.length > 0 ? { values: new GoStringMap(values) } : {};
  }
  return Object.fromEntries(
    entries.map(([key, value]) => [`values.${key}`, value]),
  );
}
