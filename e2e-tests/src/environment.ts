import { randomBytes } from 'node:crypto';

/** Kubeconfig file of a real hub with the definitions of Argo CD and OCM, but without an ApplicationSet controller. */
export const REAL_HUB_KUBECONFIG = process.env.ARGOCD_FLEET_TEST_HUB_KUBECONFIG;

/** URL of the real hub's etcd. */
export const REAL_HUB_ETCD = process.env.ARGOCD_FLEET_TEST_HUB_ETCD;

/** Whether the real hub runs kube-controller-manager, which collects garbage and finalizes namespaces. */
export const REAL_HUB_HAS_CONTROLLERS =
  process.env.ARGOCD_FLEET_TEST_HUB_CONTROLLERS !== 'none';

/** An `argocd` binary of v3.2.11. */
export const ARGOCD_BINARY = process.env.ARGOCD_FLEET_ARGOCD_BINARY;

/** The program of `real-hub/cel`: cel-go with the libraries of OCM's work agent. */
export const AGENT_CEL_BINARY = process.env.ARGOCD_FLEET_AGENT_CEL;

/** A `kubectl` of the Kubernetes version that the embedded hub reports. */
export const KUBECTL_BINARY = process.env.ARGOCD_FLEET_KUBECTL;

/** Part of the names of this run's objects: a real hub may hold other objects, and ours for a while after the run. */
export const RUN = randomBytes(3).toString('hex');
