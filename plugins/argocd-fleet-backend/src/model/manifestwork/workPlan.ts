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
import { appProjectName } from './companionManifests';
import { PLAIN_BUILDER, type WorkBuilder } from './workBuilder';
import type { WorkOptions } from './workOptions';
import { MAX_MANIFESTS } from './workSize';

/** The hub's state that decides whether and how an Application is delivered. */
export interface PropagationContext {
  managedCluster(name: string): ManagedCluster | undefined;
  /** Whether a PlacementDecision in `namespace` selects `cluster`. */
  isSelectedByDecision(namespace: string, cluster: string): boolean;
  /** The other Application that owns this one's delivery target; undefined if none does. */
  targetOwnedByOther?(application: ArgoApplication): NamespacedName | undefined;
  /** Whether a work of that name exists and does not belong to this Application. */
  workNameTakenByOther(clusterNamespace: string, workName: string): boolean;
  /** Name of the Application's existing work in that namespace: it keeps its name. */
  existingWorkName?(
    application: ArgoApplication,
    clusterNamespace: string,
  ): string | undefined;
  /** The AppProject of that name in the namespace that applies to the Application. */
  appProject?(
    application: ArgoApplication,
    name: string,
  ): ArgoAppProject | undefined;
  /** Builds the work; each anew by default. */
  readonly builder?: WorkBuilder;
}

/** Configuration of propagation. */
export interface PropagationOptions extends WorkOptions {
  /** Deliver to the hub itself too. */
  readonly allowLocalCluster: boolean;
  /** Deliver only to clusters that a PlacementDecision of the Application's namespace selects. */
  readonly requireDecision: boolean;
  /** Take over works that RHACM left with strategy `ReadOnly`. */
  readonly adoptReadOnly: boolean;
}

/** The defaults of the configuration. */
export const DEFAULT_PROPAGATION: PropagationOptions = {
  allowLocalCluster: false,
  requireDecision: true,
  adoptReadOnly: false,
  conditionRules: true,
  errorFeedback: true,
  watch: true,
  digestExpression: digestExpression(DIGEST_LENGTH.default),
  observe: { rollouts: 10, childApplications: 10 },
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
  if (
    options.requireDecision &&
    !context.isSelectedByDecision(namespace, cluster)
  ) {
    return refused(
      applicationFindings.notSelected(cluster, namespace, details),
    );
  }

  const targetOwner = context.targetOwnedByOther?.(application);
  if (targetOwner) {
    return refused(
      applicationFindings.targetTaken(
        `${cluster}/${payload}`,
        targetOwner,
        details,
      ),
    );
  }

  const names = workNames(application);
  const existing = context.existingWorkName?.(application, cluster);
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
  const appProject = project && context.appProject?.(application, project);
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
  return {
    kind: 'apply',
    target: { namespace: cluster, name: workName },
    get work() {
      return builder.build(application, target, options).work;
    },
    ...(project &&
      !appProject && {
        findings: [applicationFindings.noAppProject(project, details)],
      }),
  };
}
