import {
  BOOLEAN,
  CONDITIONS,
  CrdDeclaration,
  DATE_TIME,
  object,
  openObject,
  STRING,
} from './crdDeclaration';

const PLACEMENT_REF = {
  ...object({
    apiVersion: STRING,
    fieldPath: STRING,
    kind: STRING,
    name: STRING,
    namespace: STRING,
    resourceVersion: STRING,
    uid: STRING,
  }),
  'x-kubernetes-map-type': 'atomic',
} as const;

/** RHACM's resource that imports clusters into Argo CD. */
export const GITOPS_CLUSTER_CRDS: readonly CrdDeclaration[] = [
  {
    group: 'apps.open-cluster-management.io',
    version: 'v1beta1',
    kind: 'GitOpsCluster',
    plural: 'gitopsclusters',
    statusSubresource: true,
    properties: {
      spec: openObject(
        {
          argoServer: object({ argoNamespace: STRING, cluster: STRING }, [
            'argoNamespace',
          ]),
          createBlankClusterSecrets: BOOLEAN,
          createPolicyTemplate: BOOLEAN,
          managedServiceAccountRef: STRING,
          placementRef: PLACEMENT_REF,
        },
        ['argoServer', 'placementRef'],
      ),
      status: object({
        conditions: CONDITIONS,
        lastUpdateTime: DATE_TIME,
        message: STRING,
        phase: STRING,
      }),
    },
    required: ['metadata', 'spec'],
  },
];
