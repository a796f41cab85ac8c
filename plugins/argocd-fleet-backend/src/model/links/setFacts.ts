import type {
  ArgoSource,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';

type Labels = Readonly<Record<string, string>>;

/** What an ApplicationSet's Applications can be found by; equal ones are one. */
export interface ApplicationFacts {
  readonly namespace: string;
  readonly project: string;
  readonly labels: Labels;
}

/** What an ApplicationSet can be found by. */
export interface SetFacts {
  readonly ref: NamespacedName;
  readonly labels: Labels;
  /** Reference of its entity in the catalog. */
  readonly entityRef: string;
  /** Of all its Applications, each once. */
  readonly sources: readonly ArgoSource[];
  readonly applications: readonly ApplicationFacts[];
}
