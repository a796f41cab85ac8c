import { z } from 'zod';

import { rolloutSpec } from './rolloutSchema';
import { strict } from './strictObject';
import { timelineEntry } from './timelineSchema';

const labels = z.record(z.string(), z.string());

const names = z
  .array(z.string())
  .min(1)
  .describe('names, or patterns with * in them');

const clusterFields = {
  labels: labels.default({}),
  claims: labels.default({}),
  clusterSet: z.string().optional(),
  kubernetesVersion: z.string().default('v1.33.4'),
  /** The interval of lease renewals; the lease expires after five intervals. */
  leaseDurationSeconds: z.int().min(1).default(60),
  /** Seconds from the start of the fleet until the cluster stops reporting; with 0 it never reports. */
  stopsReportingAfterSeconds: z.number().min(0).optional(),
};

const cluster = strict({ name: z.string().min(1), ...clusterFields });

/** Many similar clusters: `name` contains `{index}`, which counts from 1 with two digits. */
const clusterSeries = strict({
  name: z
    .string()
    .refine(name => name.includes('{index}'), 'must contain {index}'),
  count: z.int().min(1).max(10_000),
  /** Labels whose values alternate over the series. */
  alternatingLabels: z
    .record(z.string(), z.array(z.string()).min(1))
    .default({}),
  ...clusterFields,
});

const workloadResource = strict({
  group: z.string().default(''),
  version: z.string().default('v1'),
  kind: z.string(),
  name: z.string(),
  namespace: z.string().optional(),
  images: z.array(z.string()).default([]),
  /** Replicas and update strategy; for a Rollout of Argo Rollouts. */
  rollout: rolloutSpec.optional(),
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

/** The resources that a path of a repository deploys. */
const workload = strict({
  repoURL: z.string().optional(),
  path: z.string(),
  resources: z.array(workloadResource).min(1),
});

const where = { clusters: names, applications: names.default(['*']) };

const fault = z.discriminatedUnion('type', [
  strict({
    /** The spoke Argo CD must not create these kinds until a binding of the cluster or the namespace allows it. */
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
    /** A resource that stays suspended. */
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
  /** Wait between the attempts of a failing sync; an Application's own backoff takes precedence. */
  retrySeconds: seconds(0.2),
  /** Time until the new pods of a Rollout are ready, at each step. */
  rolloutStepSeconds: seconds(2),
  feedbackPollSeconds: seconds(5),
  evictionSeconds: seconds(3600),
  /** Wait until a work is applied again without a change; it varies by up to half as long again. */
  reapplySeconds: z.number().min(1).default(240),
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

/** The format of a scenario file. */
export const scenarioSchema = strict({
  description: z.string().default(''),
  argocd: strict({
    namespace: z.string().default('openshift-gitops'),
    serviceAccount: z
      .string()
      .default('openshift-gitops-argocd-application-controller'),
    /** Namespaces besides Argo CD's own in which ApplicationSets are reconciled. */
    applicationSetNamespaces: z.array(z.string()).default([]),
  }).prefault({}),
  clusters: z.array(cluster).default([]),
  clusterSeries: z.array(clusterSeries).default([]),
  workloads: z.array(workload).default([]),
  repositories: strict({
    /** targetRevisions that do not exist in any repository. */
    unknownRevisions: z.array(z.string()).default([]),
    /** Paths that do not exist in any repository. */
    unknownPaths: z.array(z.string()).default([]),
  }).prefault({}),
  faults: z.array(fault).default([]),
  timings: timings.prefault({}),
  agents: strict({
    /** Number of resources that one agent watches for feedback; the agent polls the others. */
    maxFeedbackWatches: z.int().min(0).default(50),
  }).prefault({}),
  /** A Search v2 endpoint over the clusters. */
  search: strict({
    port: z.int().min(0).max(65_535).default(0),
    token: z.string().min(1),
  }).optional(),
  /** Actions at times after the start of the fleet. */
  timeline: z.array(timelineEntry).default([]),
  /** Objects to create on the hub if they are absent, in this order. */
  objects: z.array(kubeObject).default([]),
});

/** A validated scenario file, before its series are expanded. */
export type ScenarioFile = z.output<typeof scenarioSchema>;
export type ScenarioCluster = z.output<typeof cluster>;
export type WorkloadResource = z.output<typeof workloadResource>;
export type Fault = z.output<typeof fault>;

/** A validated scenario; the series of its file are expanded to clusters. */
export type Scenario = Readonly<Omit<ScenarioFile, 'clusterSeries'>>;
