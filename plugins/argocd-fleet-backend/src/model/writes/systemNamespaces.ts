/** Namespaces of Kubernetes and OpenShift themselves: what runs there has rights over the whole cluster. */
const SYSTEM = /^(kube-.*|openshift|openshift-.*)$/;

/** Whether a namespace belongs to Kubernetes or OpenShift, as `kube-system` and `openshift-config` do. */
export function isSystemNamespace(name: string): boolean {
  return SYSTEM.test(name);
}
