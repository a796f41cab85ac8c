import {
  APP_NAMESPACE_ANNOTATION,
  CLUSTER_NAME_LABEL,
  COMPONENT_ANNOTATIONS,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  MANAGED_CLUSTER_ANNOTATION,
  PLACEMENT_LABEL,
  PULL_LABEL,
  SKIP_RECONCILE_ANNOTATION,
  type ArgoApplicationSet,
  type NamespacedName,
  type PullModelApplicationSet,
  type RequestedRollingSync,
  type RequestedSource,
} from 'backstage-plugin-argocd-fleet-common';

/** ConfigMap with which Argo CD reads PlacementDecisions; it exists wherever clusters are imported. */
const PLACEMENT_GENERATOR = 'ocm-placement-generator';

/** Interval in which Argo CD reads the decisions, in seconds; the product documentation's value. */
const REQUEUE_SECONDS = 30;

/**
 * The ApplicationSet that a request of the API describes: one pull-model Application on each cluster of its Placement.
 */
export function applicationSetManifest(
  ref: NamespacedName,
  body: PullModelApplicationSet,
): ArgoApplicationSet {
  const { namespace, name } = ref;
  const annotations = componentAnnotations(body);
  const { rollingSync } = body;
  const ofPlacement = {
    clusterDecisionResource: {
      configMapRef: PLACEMENT_GENERATOR,
      labelSelector: {
        matchLabels: { [PLACEMENT_LABEL]: body.placement },
      },
      requeueAfterSeconds: REQUEUE_SECONDS,
    },
  };
  // Go templates have values of labels that some clusters lack; plain ones leave the placeholder there.
  const cluster = rollingSync ? '{{.name}}' : '{{name}}';
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: {
      name,
      namespace,
      labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
      ...(annotations && { annotations }),
    },
    spec: {
      ...(rollingSync
        ? {
            goTemplate: true,
            goTemplateOptions: ['missingkey=error'],
            generators: [
              {
                matrix: { generators: [ofPlacement, labelsOfCluster(cluster)] },
              },
            ],
            strategy: rollingStrategy(rollingSync),
          }
        : { generators: [ofPlacement] }),
      template: {
        metadata: {
          name: (body.applicationName ?? `{{name}}-${name}`).replaceAll(
            '{{name}}',
            cluster,
          ),
          labels: {
            ...(rollingSync && {
              [rollingSync.label]: `{{ index .metadata.labels "${rollingSync.label}" }}`,
            }),
            [PULL_LABEL]: 'true',
          },
          annotations: {
            [MANAGED_CLUSTER_ANNOTATION]: cluster,
            [APP_NAMESPACE_ANNOTATION]: namespace,
            [SKIP_RECONCILE_ANNOTATION]: 'true',
          },
        },
        spec: {
          project: body.project ?? 'default',
          source: requestedSource(body.source),
          destination: {
            namespace: body.destinationNamespace,
            server: rollingSync ? '{{.server}}' : '{{server}}',
          },
          syncPolicy: {
            ...((body.automated ?? true) && {
              automated: { prune: true, selfHeal: true },
            }),
            syncOptions: ['CreateNamespace=true'],
          },
        },
      },
    },
  };
}

/** The generator that adds the labels of a cluster to its name: they are on its Secret. */
function labelsOfCluster(name: string) {
  return {
    clusters: { selector: { matchLabels: { [CLUSTER_NAME_LABEL]: name } } },
  };
}

/** No cluster is left out: those with another value of the label, or none, are the last step. */
function rollingStrategy({ label, values, maxUpdate }: RequestedRollingSync) {
  const step = (operator: 'In' | 'NotIn', of: readonly string[]) => ({
    matchExpressions: [{ key: label, operator, values: [...of] }],
    ...(maxUpdate !== undefined && {
      maxUpdate: maxUpdate.endsWith('%') ? maxUpdate : Number(maxUpdate),
    }),
  });
  return {
    type: 'RollingSync',
    rollingSync: {
      steps: [
        ...values.map(value => step('In', [value])),
        step('NotIn', values),
      ],
    },
  };
}

/** Copied field by field: Argo CD's source can also run plugins and take values, which a request may not contain. */
function requestedSource(source: RequestedSource): RequestedSource {
  const { repoURL, path, chart, targetRevision } = source;
  return {
    repoURL,
    ...(path !== undefined && { path }),
    ...(chart !== undefined && { chart }),
    ...(targetRevision !== undefined && { targetRevision }),
  };
}

function componentAnnotations({
  component,
  owner = component?.owner,
}: PullModelApplicationSet): Record<string, string> | undefined {
  if (!component && owner === undefined) {
    return undefined;
  }
  const { name, title, description } = component ?? {};
  return {
    ...(name && { [COMPONENT_ANNOTATIONS.name]: name }),
    ...(owner && { [COMPONENT_ANNOTATIONS.owner]: owner }),
    ...(title && { [COMPONENT_ANNOTATIONS.title]: title }),
    ...(description && { [COMPONENT_ANNOTATIONS.description]: description }),
  };
}
