import { groupOf, KubeObject } from '../kubernetes/objects';

/** A resource type as the API server of a simulated cluster serves it. */
export interface ResourceType {
  resource: string;
  namespaced: boolean;
}

const CLUSTER_SCOPED: Readonly<Record<string, string>> = {
  '/Namespace': 'namespaces',
  '/PersistentVolume': 'persistentvolumes',
  'rbac.authorization.k8s.io/ClusterRole': 'clusterroles',
  'rbac.authorization.k8s.io/ClusterRoleBinding': 'clusterrolebindings',
  'apiextensions.k8s.io/CustomResourceDefinition': 'customresourcedefinitions',
  'scheduling.k8s.io/PriorityClass': 'priorityclasses',
  'storage.k8s.io/StorageClass': 'storageclasses',
};

const NAMESPACED: Readonly<Record<string, string>> = {
  '/ConfigMap': 'configmaps',
  '/Endpoints': 'endpoints',
  '/LimitRange': 'limitranges',
  '/PersistentVolumeClaim': 'persistentvolumeclaims',
  '/Pod': 'pods',
  '/ResourceQuota': 'resourcequotas',
  '/Secret': 'secrets',
  '/Service': 'services',
  '/ServiceAccount': 'serviceaccounts',
  'apps/DaemonSet': 'daemonsets',
  'apps/Deployment': 'deployments',
  'apps/ReplicaSet': 'replicasets',
  'apps/StatefulSet': 'statefulsets',
  'argoproj.io/AppProject': 'appprojects',
  'argoproj.io/Application': 'applications',
  'argoproj.io/ApplicationSet': 'applicationsets',
  'argoproj.io/Rollout': 'rollouts',
  'autoscaling/HorizontalPodAutoscaler': 'horizontalpodautoscalers',
  'batch/CronJob': 'cronjobs',
  'batch/Job': 'jobs',
  'networking.k8s.io/Ingress': 'ingresses',
  'networking.k8s.io/NetworkPolicy': 'networkpolicies',
  'policy/PodDisruptionBudget': 'poddisruptionbudgets',
  'rbac.authorization.k8s.io/Role': 'roles',
  'rbac.authorization.k8s.io/RoleBinding': 'rolebindings',
  'route.openshift.io/Route': 'routes',
};

/** The resource type of a kind; undefined if the simulated clusters do not serve the kind. */
export function resourceTypeOf(
  group: string,
  kind: string,
): ResourceType | undefined {
  const key = `${group}/${kind}`;
  if (CLUSTER_SCOPED[key]) {
    return { resource: CLUSTER_SCOPED[key], namespaced: false };
  }
  return NAMESPACED[key]
    ? { resource: NAMESPACED[key], namespaced: true }
    : undefined;
}

/** {@link resourceTypeOf} of an object. */
export function typeOfObject(object: KubeObject): ResourceType | undefined {
  return resourceTypeOf(groupOf(object.apiVersion), object.kind);
}
