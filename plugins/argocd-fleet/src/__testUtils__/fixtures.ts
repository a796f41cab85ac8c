import {
  HEALTH_STATUSES,
  OVERALL_STATES,
  worseHealth,
  worseState,
  worseSync,
  type ApplicationRow,
  type ApplicationSet,
  type ApplicationSetRows,
  type Cause,
  type ClusterApplication,
  type DeliveryStep,
  type EntityFleet,
  type Finding,
  type HealthStatus,
  type HubState,
  type OverallState,
  type StatusSummary,
  type SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';

export const COMMIT = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334';

export const HUB: HubState = { name: 'hub', state: 'ready' };

export const FORBIDDEN_MESSAGE =
  'deployments.apps is forbidden: User "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller" cannot create resource "deployments" in API group "apps" in the namespace "guestbook"';

export const FORBIDDEN: Finding = {
  code: 'AFC-204',
  severity: 'error',
  title: 'Argo CD may not create Deployments here',
  message:
    "Argo CD's controller on cluster1 lacks the right to create resources in namespace guestbook.",
  evidence: FORBIDDEN_MESSAGE,
  fix: {
    description: 'Allow it there:',
    command:
      'kubectl --context cluster1 label namespace guestbook argocd.argoproj.io/managed-by=openshift-gitops',
  },
};

const MINUTE = 60_000;

/** RFC 3339 time, the given number of minutes ago. */
export function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * MINUTE).toISOString();
}

function steps(
  cluster: string,
  health: HealthStatus,
  sync: SyncStatus,
  finding: Finding | undefined,
): DeliveryStep[] {
  const work = `${cluster}-guestbook-app-2fc44`;
  const synced = sync === 'Synced';
  const healthState = health === 'Progressing' ? 'active' : 'failed';
  return [
    {
      id: 'placement',
      state: 'done',
      title: 'Selected by placement',
      detail: 'aws-app-placement',
      at: minutesAgo(4_400),
    },
    {
      id: 'application',
      state: 'done',
      title: 'Application generated',
      detail: `openshift-gitops/${cluster}-guestbook-app`,
      at: minutesAgo(4_400),
    },
    {
      id: 'manifestwork',
      state: 'done',
      title: 'ManifestWork created',
      detail: `${cluster}/${work}`,
      at: minutesAgo(12),
    },
    {
      id: 'applied',
      state: 'done',
      title: 'Applied by the agent',
      detail: 'all manifests applied',
      at: minutesAgo(12),
    },
    {
      id: 'synced',
      state: synced ? 'done' : 'failed',
      title: synced ? 'Synced by Argo CD' : 'Not synced',
      at: minutesAgo(11),
      ...(synced ? {} : { finding }),
    },
    !synced
      ? { id: 'healthy', state: 'waiting', title: 'Healthy' }
      : {
          id: 'healthy',
          state: health === 'Healthy' ? 'done' : healthState,
          title: health,
          at: minutesAgo(11),
          finding,
        },
  ];
}

/** One Application on one cluster; healthy and synced by default. */
export function clusterApplication(
  cluster: string,
  options: Partial<Omit<ClusterApplication, 'cluster'>> & {
    readonly staleSince?: string;
    readonly finding?: Finding;
  } = {},
): ClusterApplication {
  const {
    staleSince,
    finding,
    health = 'Healthy',
    sync = 'Synced',
    ...overrides
  } = options;
  const name = `${cluster}-guestbook-app`;
  return {
    cluster: {
      name: cluster,
      available: staleSince ? 'Unknown' : 'True',
      stale: Boolean(staleSince),
      staleSince,
      labels: { region: 'eu-west' },
    },
    application: { namespace: 'openshift-gitops', name },
    deliveryModel: 'pull',
    manifestWork: { namespace: cluster, name: `${name}-2fc44` },
    health,
    sync,
    state: stateOf(health, sync, staleSince, finding),
    wanted: ['main'],
    compared: ['main'],
    phase: 'Succeeded',
    operationStartedAt: minutesAgo(12),
    revision: COMMIT,
    running: { revision: COMMIT, since: minutesAgo(12) },
    statusAt: minutesAgo(0),
    since: minutesAgo(11),
    conditions: [],
    resources: [
      {
        group: 'apps',
        version: 'v1',
        kind: 'Deployment',
        namespace: 'guestbook',
        name: 'guestbook-ui',
        sync,
        health,
      },
      {
        version: 'v1',
        kind: 'Service',
        namespace: 'guestbook',
        name: 'guestbook-ui',
        sync,
        health,
      },
    ],
    images: ['gcr.io/heptio-images/ks-guestbook-demo:0.2'],
    steps: steps(cluster, health, sync, finding),
    ...overrides,
  };
}

function stateOf(
  health: HealthStatus,
  sync: SyncStatus,
  staleSince: string | undefined,
  finding: Finding | undefined,
): OverallState {
  if (finding?.severity === 'error' || sync === 'Unknown' || staleSince) {
    return 'inTrouble';
  }
  return health === 'Healthy' && sync === 'Synced' ? 'ok' : 'running';
}

/** An Application on a cluster where Argo CD may not create Deployments, as in the product documentation. */
export function forbiddenApplication(cluster = 'cluster1') {
  return clusterApplication(cluster, {
    health: 'Missing',
    sync: 'OutOfSync',
    phase: 'Failed',
    error: FORBIDDEN_MESSAGE,
    conditions: [{ type: 'SyncError', message: FORBIDDEN_MESSAGE }],
    finding: FORBIDDEN,
  });
}

/** What the table shows of an Application, as the backend makes it. */
export function applicationRow(
  application: ClusterApplication,
): ApplicationRow {
  const { cluster, health, sync, reportedSync, state, phase } = application;
  const { wanted, revision, running, since, images } = application;
  const finding = findingOf(application);
  return {
    cluster,
    application: application.application,
    health,
    sync,
    reportedSync,
    state,
    phase,
    wanted,
    revision,
    ...(running?.notKnown
      ? { lastRunning: running.revision }
      : { running: running?.revision }),
    behind:
      running !== undefined &&
      (running.revision !== revision || reportedSync !== undefined),
    since,
    images,
    problem: finding && {
      severity: finding.severity,
      title: finding.title,
      code: finding.code,
      cause: finding.code,
    },
  };
}

function findingOf({ steps: path }: ClusterApplication): Finding | undefined {
  return path.find(({ finding }) => finding)?.finding;
}

function causesOf(applications: readonly ClusterApplication[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const application of applications) {
    const finding = findingOf(application);
    if (finding) {
      const { code, severity, title } = finding;
      const known = causes.get(code);
      causes.set(code, {
        id: code,
        severity,
        title,
        finding,
        example: known?.example ?? application.cluster.name,
        clusters: (known?.clusters ?? 0) + 1,
        applications: (known?.applications ?? 0) + 1,
        since: application.since,
      });
    }
  }
  return [...causes.values()].sort((x, y) => y.clusters - x.clusters);
}

/** Counts clusters by their worst Application, as the backend does. */
export function summaryOf(
  applications: readonly ClusterApplication[],
): StatusSummary {
  const clusters = new Map<
    string,
    {
      health: HealthStatus;
      sync: SyncStatus;
      stale: boolean;
      state: OverallState;
    }
  >();
  for (const { cluster, health, sync, state } of applications) {
    const known = clusters.get(cluster.name);
    clusters.set(cluster.name, {
      health: known ? worseHealth(known.health, health) : health,
      sync: known ? worseSync(known.sync, sync) : sync,
      stale: cluster.stale,
      state: known ? worseState(known.state, state) : state,
    });
  }
  const worst = [...clusters.values()];
  const numberOf = (is: (one: (typeof worst)[number]) => boolean) =>
    worst.filter(is).length;
  const health = {} as Record<HealthStatus, number>;
  const staleHealth: Record<string, number> = {};
  for (const status of HEALTH_STATUSES) {
    health[status] = numberOf(one => one.health === status);
    const stale = numberOf(one => one.stale && one.health === status);
    if (stale > 0) {
      staleHealth[status] = stale;
    }
  }
  const state = {} as Record<OverallState, number>;
  for (const each of OVERALL_STATES) {
    state[each] = numberOf(one => one.state === each);
  }
  return {
    clusters: worst.length,
    applications: applications.length,
    state,
    health,
    sync: {
      Synced: numberOf(({ sync }) => sync === 'Synced'),
      OutOfSync: numberOf(({ sync }) => sync === 'OutOfSync'),
      Unknown: numberOf(({ sync }) => sync === 'Unknown'),
    },
    stale: numberOf(({ stale }) => stale),
    staleHealth,
  };
}

const NAME = 'guestbook-allclusters-app-set';

/** An ApplicationSet with rows of the given Applications; other fields as in the product documentation. */
export function applicationSetRows(
  applications: readonly ClusterApplication[],
  overrides: Partial<ApplicationSetRows> = {},
): ApplicationSetRows {
  const failing = applications.find(findingOf);
  const worst = failing && findingOf(failing);
  return {
    ref: { hub: 'hub', namespace: 'openshift-gitops', name: NAME },
    uid: '6fd3bbbe-6a5c-4d8f-9a02-2f6f0e8b6a4d',
    createdAt: minutesAgo(4_400),
    deliveryModel: 'pull',
    labels: {},
    annotations: {},
    sources: [
      {
        repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
        path: 'guestbook',
        targetRevision: 'main',
      },
    ],
    placement: {
      name: 'aws-app-placement',
      decisions: applications.length,
    },
    summary: summaryOf(applications),
    revisions: [
      {
        revision: COMMIT,
        targetRevisions: ['main'],
        clusters: applications.length,
        wanted: applications.length,
      },
    ],
    notKnown: 0,
    worst: worst && {
      cluster: failing.cluster.name,
      severity: worst.severity,
      message: worst.title,
      code: worst.code,
      since: failing.since,
    },
    lastChange: minutesAgo(11),
    findings: [],
    hubState: HUB,
    applications: applications.map(applicationRow),
    causes: causesOf(applications),
    excluded: [],
    ...overrides,
  };
}

/** An ApplicationSet without its Applications, as in lists. */
export function applicationSet(rows: ApplicationSetRows): ApplicationSet {
  const { applications, causes, excluded, hubState, ...set } = rows;
  return set;
}

/** Response for an entity that is linked to the given ApplicationSets. */
export function entityFleet(
  applicationSets: readonly ApplicationSetRows[],
  overrides: Partial<EntityFleet> = {},
): EntityFleet {
  return {
    entityRef: 'component:default/guestbook',
    links: applicationSets.map(({ ref }) => ({
      ref,
      way: 'annotation' as const,
      via: 'annotation argocd-fleet/applicationset',
      state: 'found',
    })),
    applicationSets: applicationSets.map(applicationSet),
    hubs: [HUB],
    ...overrides,
  };
}

/** The scenario of the documentation: one Application missing, two progressing, the hub excluded. */
export function guestbook(): ApplicationSetRows {
  return applicationSetRows(guestbookApplications(), {
    placement: { name: 'aws-app-placement', decisions: 4 },
    excluded: [
      {
        cluster: 'local-cluster',
        application: {
          namespace: 'openshift-gitops',
          name: 'local-cluster-guestbook-app',
        },
        reason:
          'local-cluster is the hub itself, which the pull model leaves out by default',
      },
    ],
  });
}

/** The Applications of {@link guestbook} in detail. */
export function guestbookApplications(): ClusterApplication[] {
  return [
    forbiddenApplication(),
    clusterApplication('pcluster1', { health: 'Progressing' }),
    clusterApplication('pcluster2', { health: 'Progressing' }),
  ];
}

const IMAGE_PULL: Finding = {
  code: 'AFC-301',
  severity: 'error',
  title: 'An image cannot be pulled',
  message: 'guestbook-ui: 0 of 3 replicas ready, ImagePullBackOff',
  evidence:
    'Back-off pulling image "gcr.io/heptio-images/ks-guestbook-demo:0.9"',
  fix: { description: 'Correct the image tag in the repository.' },
};

const REPOSITORY: Finding = {
  code: 'AFC-210',
  severity: 'error',
  title: 'The repository cannot be reached',
  message: 'Argo CD on the cluster could not fetch the repository.',
  evidence: 'dial tcp 140.82.121.3:443: i/o timeout',
};

/** Applications of a large fleet: most are healthy, some fail for a few reasons, some clusters are stale. */
export function largeFleet(clusters: number): ClusterApplication[] {
  return Array.from({ length: clusters }, (_, index) => {
    const region = ['eu', 'us', 'ap'][index % 3];
    const name = `${region}-edge-${String(index).padStart(4, '0')}`;
    if (index % 67 === 5) {
      return clusterApplication(name, {
        health: 'Degraded',
        error: `${IMAGE_PULL.message}`,
        finding: IMAGE_PULL,
        since: minutesAgo(34),
      });
    }
    if (index % 90 === 7) {
      return clusterApplication(name, {
        health: 'Unknown',
        sync: 'OutOfSync',
        phase: 'Error',
        error: 'repository not reachable: dial tcp: i/o timeout',
        finding: REPOSITORY,
        revision: '9f8e7d6c5b4a39281706f5e4d3c2b1a098765432',
        since: minutesAgo(120),
      });
    }
    if (index % 130 === 9) {
      return forbiddenApplication(name);
    }
    if (index % 45 === 11) {
      return clusterApplication(name, { health: 'Progressing' });
    }
    return clusterApplication(name, {
      staleSince: index % 80 === 13 ? minutesAgo(95) : undefined,
    });
  });
}
