import { Application } from '../kubernetes/argocdTypes';
import { ManifestWork } from '../kubernetes/workTypes';

const NAMESPACE = 'openshift-gitops';
const TARGET = 'apps.open-cluster-management.io/ocm-managed-cluster';

const DIGEST = `"digest\\n" + object.?status.?conditions.orValue([]).map(c,
    c.type + "\\t" + c.message.replace("\\t", " ").replace("\\n", " ")).join("\\n")
  + object.?status.?resources.orValue([]).map(r,
    [r.kind, r.name, r.?status.orValue(""), r.?health.?status.orValue("")].join("\\t")).join("\\n")`;

/** The work that Argo CD Fleet creates for a pull-model Application. */
export function workOf({ metadata, spec }: Application): ManifestWork {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: {
      name: `${metadata.name}-${metadata.uid?.slice(0, 5)}`,
      namespace: metadata.annotations?.[TARGET],
    },
    spec: {
      workload: {
        manifests: [
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'Application',
            metadata: {
              name: metadata.name,
              namespace: NAMESPACE,
              finalizers: metadata.finalizers,
            },
            spec,
          },
        ],
      },
      manifestConfigs: [
        {
          resourceIdentifier: {
            group: 'argoproj.io',
            resource: 'applications',
            namespace: NAMESPACE,
            name: metadata.name,
          },
          feedbackScrapeType: 'Watch',
          feedbackRules: [
            {
              type: 'JSONPaths',
              jsonPaths: [
                { name: 'healthStatus', path: '.status.health.status' },
                { name: 'syncStatus', path: '.status.sync.status' },
                { name: 'syncRevision', path: '.status.sync.revision' },
                {
                  name: 'operationStateStartedAt',
                  path: '.status.operationState.startedAt',
                },
              ],
            },
          ],
          conditionRules: [
            {
              type: 'CEL',
              condition: 'ApplicationReady',
              celExpressions: [
                'object.?status.?health.?status.orValue("") == "Healthy" && object.?status.?sync.?status.orValue("") == "Synced"',
              ],
              messageExpression: DIGEST,
            },
          ],
          updateStrategy: {
            type: 'ServerSideApply',
            serverSideApply: {
              force: true,
              ignoreFields: [
                { condition: 'OnSpokeChange', jsonPaths: ['.operation'] },
              ],
            },
          },
        },
      ],
    },
  };
}

/** The remedy of the product documentation: a work with a ClusterRoleBinding for Argo CD. */
export const REMEDY = {
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'ManifestWork',
  metadata: { name: 'argo-admin', namespace: 'cluster1' },
  spec: {
    workload: {
      manifests: [
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: 'argo-admin' },
          roleRef: {
            apiGroup: 'rbac.authorization.k8s.io',
            kind: 'ClusterRole',
            name: 'cluster-admin',
          },
          subjects: [
            {
              kind: 'ServiceAccount',
              name: 'openshift-gitops-argocd-application-controller',
              namespace: NAMESPACE,
            },
          ],
        },
      ],
    },
  },
};
