import { createHash } from 'node:crypto';
import type {
  ArgoApplication,
  ManagedCluster,
  ManifestWork,
  PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * The pull model once more, written from its description alone and in the plainest way: what the controllers come to is held against it,
 * so nothing of their code is used here, their constants included.
 */

const OCM = 'apps.open-cluster-management.io';
const ARGO = 'argocd.argoproj.io';

/** All that decides what the works must be. */
export interface HubContents {
  readonly applications: readonly ArgoApplication[];
  readonly works: readonly ManifestWork[];
  readonly clusters: readonly ManagedCluster[];
  readonly decisions: readonly PlacementDecision[];
}

/** What must be on the hub for one Application. */
export type Fate =
  /** One work and no other, under one of these names. */
  | {
      readonly kind: 'delivered';
      readonly namespace: string;
      readonly names: readonly string[];
      readonly content: unknown;
    }
  /** No new one is made; what is there stays, in this namespace only where one is given. */
  | { readonly kind: 'kept'; readonly only?: string }
  | { readonly kind: 'none' };

/** What the Application says and the hub knows, without anything of the past. */
export function fateOf(
  application: ArgoApplication | undefined,
  hub: HubContents,
): Fate {
  if (!wanted(application)) {
    return { kind: 'none' };
  }
  const { namespace, name, uid = '' } = application.metadata;
  const target = targetOf(application);
  const cluster = hub.clusters.find(each => each.metadata.name === target);
  if (!target || !cluster) {
    return { kind: 'kept' };
  }
  if (cluster.metadata.labels?.['local-cluster'] === 'true') {
    return { kind: 'kept', only: target };
  }
  const decided = hub.decisions.some(
    decision =>
      decision.metadata.namespace === namespace &&
      decision.status?.decisions?.some(each => each.clusterName === target),
  );
  if (!decided) {
    return { kind: 'kept' };
  }
  return {
    kind: 'delivered',
    namespace: target,
    names: [`${name}-${uid.slice(0, 5)}`, `${name}-${uid}`],
    content: contentOf(application),
  };
}

/** Whether an Application that exists travels at all. */
export function wanted(
  application: ArgoApplication | undefined,
): application is ArgoApplication {
  return (
    application !== undefined &&
    !application.metadata.deletionTimestamp &&
    ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(
      application.metadata.labels?.[`${OCM}/pull-to-ocm-managed-cluster`] ?? '',
    )
  );
}

/** The cluster that an Application names. */
export function targetOf(application: ArgoApplication): string | undefined {
  return (
    application.metadata.annotations?.[`${OCM}/ocm-managed-cluster`] ||
    undefined
  );
}

/** `<namespace>/<name>` of the Application that a work belongs to; undefined for one of somebody else. */
export function ownerOf({ metadata }: ManifestWork): string | undefined {
  const namespace = metadata.annotations?.[`${OCM}/hub-application-namespace`];
  const name = metadata.annotations?.[`${OCM}/hub-application-name`];
  return namespace && name ? `${namespace}/${name}` : undefined;
}

/** What of a work is ours, without what travels only once. */
export function contentOfWork(work: ManifestWork): unknown {
  const { labels = {}, annotations = {} } = work.metadata;
  return {
    labels: only(labels, [
      `${OCM}/application-set`,
      `${OCM}/application-set-hash`,
    ]),
    annotations: only(annotations, [
      `${OCM}/hosting-applicationset`,
      `${OCM}/hub-application-namespace`,
      `${OCM}/hub-application-name`,
    ]),
    manifests: work.spec.workload?.manifests?.map(manifest => {
      const { operation, ...payload } = manifest as ArgoApplication;
      return {
        ...payload,
        metadata: {
          ...payload.metadata,
          annotations: without(payload.metadata.annotations, [
            `${ARGO}/refresh`,
          ]),
        },
      };
    }),
    configs: work.spec.manifestConfigs?.map(config => ({
      of: config.resourceIdentifier,
      feedback: config.feedbackRules?.flatMap(rule =>
        (rule.jsonPaths ?? []).map(({ name, path }) => `${name} ${path}`),
      ),
      scrape: config.feedbackScrapeType,
      conditions: config.conditionRules?.map(rule => rule.condition),
      strategy: {
        type: config.updateStrategy?.type,
        force: config.updateStrategy?.serverSideApply?.force,
        ignored: config.updateStrategy?.serverSideApply?.ignoreFields,
      },
    })),
  };
}

function contentOf(application: ArgoApplication): unknown {
  const { metadata, spec } = application;
  const { namespace = '', name } = metadata;
  const owner = metadata.ownerReferences?.find(
    ({ kind }) => kind === 'ApplicationSet',
  );
  const set = owner && `${namespace}/${owner.name}`;
  const home =
    metadata.annotations?.[`${OCM}/ocm-managed-cluster-app-namespace`] ||
    namespace;
  const labels = {
    ...without(metadata.labels, [`${OCM}/pull-to-ocm-managed-cluster`]),
    ...(set && { [`${OCM}/application-set`]: 'true' }),
  };
  const annotations = {
    ...without(metadata.annotations, [
      `${OCM}/ocm-managed-cluster`,
      `${OCM}/ocm-managed-cluster-app-namespace`,
      `${ARGO}/skip-reconcile`,
      `${ARGO}/refresh`,
    ]),
    ...(set && { [`${OCM}/hosting-applicationset`]: set }),
  };
  return {
    labels: set
      ? {
          [`${OCM}/application-set`]: 'true',
          [`${OCM}/application-set-hash`]: createHash('sha1')
            .update(set)
            .digest('hex'),
        }
      : {},
    annotations: {
      ...(set && { [`${OCM}/hosting-applicationset`]: set }),
      [`${OCM}/hub-application-namespace`]: namespace,
      [`${OCM}/hub-application-name`]: name,
    },
    manifests: [
      {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: {
          name,
          namespace: home,
          ...(Object.keys(labels).length > 0 && { labels }),
          annotations,
          ...(metadata.finalizers && { finalizers: metadata.finalizers }),
        },
        spec: {
          ...spec,
          destination: {
            ...spec?.destination,
            name: '',
            server: 'https://kubernetes.default.svc',
            namespace: spec?.destination?.namespace || home,
          },
        },
      },
    ],
    configs: [
      {
        of: {
          group: 'argoproj.io',
          resource: 'applications',
          namespace: home,
          name,
        },
        feedback: [
          'healthStatus .status.health.status',
          'syncStatus .status.sync.status',
          'operationStateStartedAt .status.operationState.startedAt',
          'operationStatePhase .status.operationState.phase',
          'syncRevision .status.sync.revision',
        ],
        scrape: 'Watch',
        conditions: ['ApplicationReady'],
        strategy: {
          type: 'ServerSideApply',
          force: true,
          ignored: [
            {
              condition: 'OnSpokeChange',
              jsonPaths: [
                '.operation',
                `.metadata.annotations["${ARGO}/refresh"]`,
              ],
            },
          ],
        },
      },
    ],
  };
}

function only(entries: Readonly<Record<string, string>>, keys: string[]) {
  return Object.fromEntries(
    Object.entries(entries).filter(([key]) => keys.includes(key)),
  );
}

function without(
  entries: Readonly<Record<string, string>> | undefined,
  keys: string[],
) {
  return Object.fromEntries(
    Object.entries(entries ?? {}).filter(([key]) => !keys.includes(key)),
  );
}
