import { z } from 'zod';

/** An object without other fields; the mistake names those that there are. */
function strict<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? `there is no field ${issue.keys.join(', ')}; the fields are ${Object.keys(
            shape,
          ).join(', ')}`
        : undefined,
  });
}

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
});

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
  feedbackPollSeconds: seconds(5),
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
  /** Objects to create on the hub where they are absent, in this order. */
  objects: z.array(kubeObject).default([]),
});

export type ScenarioFile = z.output<typeof scenarioSchema>;
export type ScenarioCluster = z.output<typeof cluster>;
export type WorkloadResource = z.output<typeof workloadResource>;
export type Fault = z.output<typeof fault>;

/** A checked scenario; the series of its file are written out as clusters. */
export type Scenario = Readonly<Omit<ScenarioFile, 'clusterSeries'>>;
