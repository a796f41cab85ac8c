import { z } from 'zod';

import { rolloutFacts } from './rolloutSchema';
import { strict } from './strictObject';
import { timelineEntry } from './timelineSchema';

const labels = z.record(z.string(), z.string());

const names = z
  .array(z.string())
  .min(1)
  .describe('names, or patterns with * in them');

const clusterFacts = {
  labels: labels.default({}),
  claims: labels.default({}),
  clusterSet: z.string().optional(),
  kubernetesVersion: z.string().default('v1.33.4'),
  /** How often the cluster renews its lease; the hub waits five times as long. */
  leaseDurationSeconds: z.int().min(1).default(60),
  /** Seconds after the fleet's start at which the cluster stops reporting; 0 is from the start. */
  stopsReportingAfterSeconds: z.number().min(0).optional(),
};

const cluster = strict({ name: z.string().min(1), ...clusterFacts });

/** Many clusters alike: `name` holds `{index}`, which counts from 1 with two digits. */
const clusterSeries = strict({
  name: z
    .string()
    .refine(name => name.includes('{index}'), 'must contain {index}'),
  count: z.int().min(1).max(10_000),
  /** Labels whose values take turns over the series. */
  alternatingLabels: z
    .record(z.string(), z.array(z.string()).min(1))
    .default({}),
  ...clusterFacts,
});

const workloadResource = strict({
  group: z.string().default(''),
  version: z.string().default('v1'),
  kind: z.string(),
  name: z.string(),
  namespace: z.string().optional(),
  images: z.array(z.string()).default([]),
  /** How it replaces its pods, for a Rollout of Argo Rollouts. */
  rollout: rolloutFacts.optional(),
}).refine(
  ({ kind, group, version, rollout }) =>
    kind === 'Rollout' || rollout
      ? kind === 'Rollout' && group === 'argoproj.io' && version === 'v1alpha1'
      : true,
  {
    error:
      'a Rollout has group argoproj.io, version v1alpha1 and kind Rollout, and nothing else has the field rollout',
  },
);

/** What a path of a repository deploys. */
const workload = strict({
  repoURL: z.string().optional(),
  path: z.string(),
  resources: z.array(workloadResource).min(1),
});

const where = { clusters: names, applications: names.default(['*']) };

const fault = z.discriminatedUnion('type', [
  strict({
    /** The spoke Argo CD may not create these kinds, until a ClusterRoleBinding on the cluster allows it. */
    type: z.literal('forbidden'),
    ...where,
    kinds: z.array(z.string()).min(1),
    unlessBoundTo: z.string().default('cluster-admin'),
  }),
  strict({
    /** A resource that never becomes healthy. */
    type: z.literal('degraded'),
    ...where,
    kind: z.string(),
    message: z.string(),
  }),
  strict({
    /** A resource that waits for somebody. */
    type: z.literal('suspended'),
    ...where,
    kind: z.string(),
    message: z.string(),
  }),
  strict({
    /** The repository cannot be read from that cluster. */
    type: z.literal('repositoryUnreachable'),
    ...where,
    message: z.string(),
  }),
]);

const seconds = (value: number) => z.number().min(0).default(value);

const timings = strict({
  outOfSyncSeconds: seconds(0.8),
  syncSeconds: seconds(0.8),
  progressingSeconds: seconds(9),
  pruneSeconds: seconds(0.5),
  /** Between the attempts of a sync that fails; an Application's own backoff goes before it. */
  retrySeconds: seconds(0.2),
  /** How long the new pods of a Rollout take at each step. */
  rolloutStepSeconds: seconds(2),
  feedbackPollSeconds: seconds(5),
  evictionSeconds: seconds(3600),
});

const kubeObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    labels: labels.optional(),
    annotations: labels.optional(),
  }),
});

/** A scenario file, as it is written. */
export const scenarioSchema = strict({
  description: z.string().default(''),
  argocd: strict({
    namespace: z.string().default('openshift-gitops'),
    serviceAccount: z
      .string()
      .default('openshift-gitops-argocd-application-controller'),
    /** Namespaces besides Argo CD's own in which ApplicationSets are looked at. */
    applicationSetNamespaces: z.array(z.string()).default([]),
  }).prefault({}),
  clusters: z.array(cluster).default([]),
  clusterSeries: z.array(clusterSeries).default([]),
  workloads: z.array(workload).default([]),
  repositories: strict({
    /** targetRevisions that no repository has. */
    unknownRevisions: z.array(z.string()).default([]),
    /** Paths that no repository has. */
    unknownPaths: z.array(z.string()).default([]),
  }).prefault({}),
  faults: z.array(fault).default([]),
  timings: timings.prefault({}),
  agents: strict({
    /** Resources that one agent watches for feedback; beyond that they are polled. */
    maxFeedbackWatches: z.int().min(0).default(50),
  }).prefault({}),
  /** A Search v2 endpoint over the clusters, where the scenario has one. */
  search: strict({
    port: z.int().min(0).max(65_535).default(0),
    token: z.string().min(1),
  }).optional(),
  /** What happens while the fleet runs. */
  timeline: z.array(timelineEntry).default([]),
  /** Objects to create on the hub where they are absent, in this order. */
  objects: z.array(kubeObject).default([]),
});

export type ScenarioFile = z.output<typeof scenarioSchema>;
export type ScenarioCluster = z.output<typeof cluster>;
export type WorkloadResource = z.output<typeof workloadResource>;
export type Fault = z.output<typeof fault>;

/** A checked scenario; the series of its file are written out as clusters. */
export type Scenario = Readonly<Omit<ScenarioFile, 'clusterSeries'>>;
