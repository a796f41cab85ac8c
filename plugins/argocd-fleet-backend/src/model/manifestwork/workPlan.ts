import {
  isNamespaceName,
  isObjectName,
  type ArgoApplication,
  type ArgoAppProject,
  type Finding,
  type ManagedCluster,
  type ManifestWork,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import {
  isLocalCluster,
  payloadNamespace,
  targetCluster,
  workNames,
} from '../delivery';
import { DIGEST_LENGTH, digestExpression } from '../feedback';
import { applicationFindings } from '../findings';
import type { Authorisation } from '../placement';
import {
  allowedNamespaces,
  mayDeliverNamespace,
  mayUseNamespace,
  type AppNamespaces,
} from './appNamespaces';
import { appProjectName } from './companionManifests';
import { PLAIN_BUILDER, type WorkBuilder } from './workBuilder';
import type { WorkOptions } from './workOptions';
import { MAX_MANIFESTS } from './workSize';

/** The hub's state that decides whether and how an Application is delivered. */
export interface PropagationContext {
  managedCluster(name: string): ManagedCluster | undefined;
  /** Whether PlacementDecisions in `namespace` authorise to deliver to `cluster`. */
  authorisation(namespace: string, cluster: string): Authorisation;
  /** The other Application that owns this one's delivery target; undefined if none does. */
  targetOwnedByOther?(application: ArgoApplication): NamespacedName | undefined;
  /** Whether a work of that name exists and does not belong to this Application. */
  workNameTakenByOther(clusterNamespace: string, workName: string): boolean;
  /** Name of the Application's existing work in that namespace: it keeps its name. */
  existingWorkName?(
    application: ArgoApplication,
    clusterNamespace: string,
  ): string | undefined;
  /** Namespace in which the cluster's work of the Application puts it now. */
  deliveredNamespace?(
    application: ArgoApplication,
    clusterNamespace: string,
  ): string | undefined;
  /** The AppProject of that name in the namespace of Argo CD. */
  appProject?(name: string): ArgoAppProject | undefined;
  /** Builds the work; each anew by default. */
  readonly builder?: WorkBuilder;
}

/** Configuration of propagation. */
export interface PropagationOptions extends WorkOptions {
  /** Deliver to the hub itself too. */
  readonly allowLocalCluster: boolean;
  /** Deliver only to clusters that a PlacementDecision of the Application's namespace authorises. */
  readonly requireDecision: boolean;
  /** Which namespaces of managed clusters the Applications of a hub namespace may use; by default its own name. */
  readonly appNamespaces: AppNamespaces;
  /** Take over works that RHACM left with strategy `ReadOnly`. */
  readonly adoptReadOnly: boolean;
}

/** The defaults of the configuration. */
export const DEFAULT_PROPAGATION: PropagationOptions = {
  allowLocalCluster: false,
  requireDecision: true,
  appNamespaces: new Map(),
  adoptReadOnly: false,
  conditionRules: true,
  errorFeedback: true,
  watch: true,
  digestExpression: digestExpression(DIGEST_LENGTH.default),
  observe: { rollouts: 10, childApplications: 10 },
  defaultDestinationNamespace: false,
  includeNamespace: false,
  includeAppProject: false,
  argocdNamespace: 'openshift-gitops',
};

/** What to do for one pull-model Application. After a refusal an existing work stays unchanged. */
export type WorkPlan =
  | {
      readonly kind: 'apply';
      /** Namespace and name of the work. */
      readonly target: NamespacedName;
      /** It is built only when it is read. */
      readonly work: ManifestWork;
      /** Problems that do not prevent the delivery. */
      readonly findings?: readonly Finding[];
    }
  | { readonly kind: 'excluded'; readonly reason: string }
  | { readonly kind: 'refused'; readonly finding: Finding };

/** Decides whether a pull-model Application is delivered, and builds its work. Not for Applications being deleted. */
export function planManifestWork(
  application: ArgoApplication,
  context: PropagationContext,
  options: PropagationOptions,
): WorkPlan {
  const { name, namespace = '' } = application.metadata;
  const details = { object: { kind: 'Application', name, namespace } };
  const refused = (finding: Finding): WorkPlan => ({
    kind: 'refused',
    finding,
  });

  const cluster = targetCluster(application);
  if (!cluster) {
    return refused(applicationFindings.noTarget(details));
  }
  if (!isNamespaceName(cluster)) {
    return refused(
      applicationFindings.illegalName('a managed cluster', cluster, details),
    );
  }
  const payload = payloadNamespace(application);
  if (!isNamespaceName(payload)) {
    return refused(
      applicationFindings.illegalName('a namespace', payload, details),
    );
  }
  const managedCluster = context.managedCluster(cluster);
  if (!managedCluster) {
    return refused(applicationFindings.targetUnknown(cluster, details));
  }
  if (isLocalCluster(managedCluster) && !options.allowLocalCluster) {
    return {
      kind: 'excluded',
      reason: `${cluster} is the hub itself, which the pull model leaves out by default`,
    };
  }
  const existing = context.existingWorkName?.(application, cluster);
  const unauthorised = options.requireDecision
    ? authorisationFinding(
        cluster,
        namespace,
        context.authorisation(namespace, cluster),
        existing !== undefined,
        details,
      )
    : undefined;
  if (unauthorised) {
    return refused(unauthorised);
  }

  if (!mayUseNamespace(application, options.appNamespaces)) {
    return refused(
      applicationFindings.namespaceNotAllowed(
        {
          hubNamespace: namespace,
          wanted: payload,
          allowed: allowedNamespaces(namespace, options.appNamespaces),
          isDelivered:
            context.deliveredNamespace?.(application, cluster) === payload,
        },
        details,
      ),
    );
  }

  if (context.targetOwnedByOther?.(application)) {
    return refused(
      applicationFindings.targetTaken(
        `${cluster}/${payload}`,
        application.metadata.name,
        details,
      ),
    );
  }

  const names = workNames(application);
  const workName =
    names.find(candidate => candidate === existing) ??
    names.find(candidate => !context.workNameTakenByOther(cluster, candidate));
  if (!workName) {
    return refused(
      applicationFindings.workNameTaken(`${cluster}/${names.at(-1)}`, details),
    );
  }
  if (!isObjectName(workName)) {
    return refused(
      applicationFindings.illegalName('a ManifestWork', workName, details),
    );
  }
  const project = options.includeAppProject
    ? appProjectName(application)
    : undefined;
  const appProject = project && context.appProject?.(project);
  const { builder = PLAIN_BUILDER } = context;
  const target = {
    cluster,
    name: workName,
    appProject: appProject || undefined,
  };
  if (!builder.isSmall(application, target)) {
    const { bytes } = builder.build(application, target, options);
    if (bytes > MAX_MANIFESTS) {
      return refused(
        applicationFindings.tooLarge(bytes, MAX_MANIFESTS, details),
      );
    }
  }
  const findings = [
    ...(project && !appProject
      ? [
          applicationFindings.noAppProject(
            project,
            options.argocdNamespace,
            details,
          ),
        ]
      : []),
    ...(options.includeNamespace &&
    !mayDeliverNamespace(payload, options.argocdNamespace)
      ? [applicationFindings.namespaceLeftOut(payload, details)]
      : []),
  ];
  return {
    kind: 'apply',
    target: { namespace: cluster, name: workName },
    get work() {
      return builder.build(application, target, options).work;
    },
    ...(findings.length > 0 && { findings }),
  };
}

/**
 * Why nothing may be delivered to the cluster.
 * @param isDelivered - a work of this Application is there already: as long as it may not be read whether the decision
 *   counts, it is kept up to date, since the cluster was authorised when it was made. While the hub is still being
 *   listed it waits: the authorisation may have been withdrawn since
 */
function authorisationFinding(
  cluster: string,
  namespace: string,
  authorisation: Authorisation,
  isDelivered: boolean,
  details: { readonly object: NonNullable<Finding['object']> },
): Finding | undefined {
  switch (authorisation.verdict) {
    case 'authorised':
      return undefined;
    case 'undecided':
      return applicationFindings.notSelected(cluster, namespace, details);
    case 'unverified':
      return isDelivered && !authorisation.isPending
        ? undefined
        : applicationFindings.authorisationUnknown(cluster, details);
    default:
      return applicationFindings.decisionDoesNotCount(
        cluster,
        authorisation,
        details,
      );
  }
}
