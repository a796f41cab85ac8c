import { createHash } from 'node:crypto';
import type {
  ArgoApplication,
  ManagedCluster,
  ManifestWork,
  PlacementDecision,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * A second, simple implementation of the pull model, written only from its description. The tests compare the
 * controllers' result with it, so it uses none of their code, not even constants.
 */

const OCM = 'apps.open-cluster-management.io';
const ARGO = 'argocd.argoproj.io';

/** All objects that determine the works. */
export interface HubContents {
  readonly applications: readonly ArgoApplication[];
  readonly works: readonly ManifestWork[];
  readonly clusters: readonly ManagedCluster[];
  readonly decisions: readonly PlacementDecision[];
}

/** Works that the hub must have for one Application. */
export type Expectation =
  /** Exactly one work, with one of these names. */
  | {
      readonly kind: 'delivered';
      readonly namespace: string;
      readonly names: readonly string[];
      readonly content: unknown;
    }
  /** No work is created. Existing ones stay. */
  | { readonly kind: 'kept' }
  | { readonly kind: 'none' };

/** Derives the expectation from the hub's current state, without its history. */
export function expectationFor(
  application: ArgoApplication | undefined,
  hub: HubContents,
): Expectation {
  if (!application || application.metadata.deletionTimestamp) {
    return { kind: 'none' };
  }
  if (!isPropagated(application)) {
    return { kind: 'kept' };
  }
  const { namespace, name, uid = '' } = application.metadata;
  const target = targetOf(application);
  const cluster = hub.clusters.find(each => each.metadata.name === target);
  if (!target || !cluster) {
    return { kind: 'kept' };
  }
  if (cluster.metadata.labels?.['local-cluster'] === 'true') {
    return { kind: 'kept' };
  }
  const decided = hub.decisions.some(
    decision =>
      decision.metadata.namespace === namespace &&
      decision.status?.decisions?.some(each => each.clusterName === target),
  );
  if (!decided || !mayUseItsNamespace(application)) {
    return { kind: 'kept' };
  }
  const names = [`${name}-${uid.slice(0, 5)}`, `${name}-${uid}`];
  const isTaken = (workName: string) =>
    hub.works.some(
      work =>
        work.metadata.namespace === target &&
        work.metadata.name === workName &&
        ownerOf(work) !== `${namespace}/${name}`,
    );
  if (names.every(isTaken)) {
    return { kind: 'kept' };
  }
  return {
    kind: 'delivered',
    namespace: target,
    names,
    content: contentOf(application),
  };
}

/** Whether an Application exists and has the pull label. */
export function isPropagated(
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

/** The target cluster of an Application. */
export function targetOf(application: ArgoApplication): string | undefined {
  return (
    application.metadata.annotations?.[`${OCM}/ocm-managed-cluster`] ||
    undefined
  );
}

/** `<namespace>/<name>` of the Application that a work belongs to; undefined for a work of another owner. */
export function ownerOf({ metadata }: ManifestWork): string | undefined {
  const namespace = metadata.annotations?.[`${OCM}/hub-application-namespace`];
  const name = metadata.annotations?.[`${OCM}/hub-application-name`];
  return namespace && name ? `${namespace}/${name}` : undefined;
}

/** The fields of a work that propagation owns, without the one-shot fields. */
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

function mayUseItsNamespace(application: ArgoApplication): boolean {
  const { namespace } = application.metadata;
  const there = namespaceOnCluster(application);
  return (
    there === namespace || (namespace === 'tenant-a' && there === 'argocd')
  );
}

function namespaceOnCluster({ metadata }: ArgoApplication): string | undefined {
  return (
    metadata.annotations?.[`${OCM}/ocm-managed-cluster-app-namespace`] ||
    metadata.namespace
  );
}

function contentOf(application: ArgoApplication): unknown {
  const { metadata, spec } = application;
  const { namespace = '', name } = metadata;
  const owner = metadata.ownerReferences?.find(
    ({ kind }) => kind === 'ApplicationSet',
  );
  const set = owner && `${namespace}/${owner.name}`;
  const appNamespace = namespaceOnCluster(application);
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
          namespace: appNamespace,
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
          },
        },
      },
    ],
    configs: [
      {
        of: {
          group: 'argoproj.io',
          resource: 'applications',
          namespace: appNamespace,
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
