import {
  APP_NAMESPACE_ANNOTATION,
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
      generators: [
        {
          clusterDecisionResource: {
            configMapRef: PLACEMENT_GENERATOR,
            labelSelector: {
              matchLabels: { [PLACEMENT_LABEL]: body.placement },
            },
            requeueAfterSeconds: REQUEUE_SECONDS,
          },
        },
      ],
      template: {
        metadata: {
          name: body.applicationName ?? `{{name}}-${name}`,
          labels: { [PULL_LABEL]: 'true' },
          annotations: {
            [MANAGED_CLUSTER_ANNOTATION]: '{{name}}',
            [APP_NAMESPACE_ANNOTATION]: namespace,
            [SKIP_RECONCILE_ANNOTATION]: 'true',
          },
        },
        spec: {
          project: body.project ?? 'default',
          source: requestedSource(body.source),
          destination: {
            namespace: body.destinationNamespace,
            server: '{{server}}',
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
