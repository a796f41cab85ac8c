import type {
  ArgoApplication,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import type { ClusterApi } from './clusterApi';
import type { Files, Sources } from './sources';

/** What a failure may use when it goes on. */
export interface Managed {
  readonly cluster: ClusterApi;
  readonly sources: Sources;
  /** Requests a sync on the hub. */
  sync(): Promise<void>;
  /** The Application on the cluster. */
  application(): Promise<ArgoApplication | undefined>;
}

/** An Application that fails on a real Argo CD, and what the portal says of it. */
export interface Failure {
  /** Of the Application, its namespace on the cluster and its folder in the repository. */
  readonly name: string;
  readonly code: string;
  /** Part of the finding's title or message. */
  readonly names?: string;
  /** One of those that run with every change. */
  readonly always?: true;
  /** In the Application's folder. */
  readonly files?: Files;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: (sources: Sources) => Partial<ArgoApplication['spec']>;
  /** There before the Application is, besides its namespace. */
  readonly before?: (
    sources: Sources,
  ) => readonly (KubernetesObject & { readonly status?: object })[];
  /** Goes on where the Application alone does not fail. */
  readonly then?: (managed: Managed) => Promise<void>;
}

/** A manifest as a file of a repository: JSON is YAML. */
export function manifest(object: object): string {
  return JSON.stringify(object, null, 2);
}
