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
import { buildManifestWork } from './manifestWork';
import type { WorkOptions } from './workOptions';
import { manifestBytes, MAX_MANIFESTS } from './workSize';

/** What the hub knows that decides whether and how an Application travels. */
export interface PropagationContext {
  managedCluster(name: string): ManagedCluster | undefined;
  /** Whether a PlacementDecision in `namespace` selects `cluster`. */
  isDecided(namespace: string, cluster: string): boolean;
  /** The other Application that holds the place on the cluster that this one would come to; undefined where none does. */
  placeHeldByOther?(application: ArgoApplication): NamespacedName | undefined;
  /** Whether the work of that name exists and belongs to another Application, or to nobody we know. */
  workNameTakenByOther(clusterNamespace: string, workName: string): boolean;
  /** Name of the work that the Application already has in that namespace: a name once given is kept. */
  ownWorkName?(
    application: ArgoApplication,
    clusterNamespace: string,
  ): string | undefined;
  /** The AppProject of that name that applies to the Application. */
  appProject?(
    application: ArgoApplication,
    name: string,
  ): ArgoAppProject | undefined;
}

/** Configuration of propagation. */
export interface PropagationOptions extends WorkOptions {
  /** Also deliver to the hub itself. */
  readonly allowLocalCluster: boolean;
  /** Deliver only to clusters that a PlacementDecision of the Application's namespace selects. */
  readonly requireDecision: boolean;
  /** Take over works that RHACM left to observe only. */
  readonly adoptReadOnly: boolean;
}

/** Propagation as it is without any configuration. */
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

/** What to do about one pull-model Application. A refusal never removes a work that is there: it stays as it is. */
export type WorkPlan =
  | {
      readonly kind: 'apply';
      readonly work: ManifestWork;
      /** What the work has to do without. */
      readonly findings?: readonly Finding[];
    }
  | { readonly kind: 'excluded'; readonly reason: string }
  | { readonly kind: 'refused'; readonly finding: Finding };

/** Decides whether a pull-model Application travels, and builds its work. Applications being deleted are not planned. */
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
  if (options.requireDecision && !context.isDecided(namespace, cluster)) {
    return refused(
      applicationFindings.notSelected(cluster, namespace, details),
    );
  }

  const holder = context.placeHeldByOther?.(application);
  if (holder) {
    return refused(
      applicationFindings.targetTaken(`${cluster}/${payload}`, holder, details),
    );
  }

  const names = workNames(application);
  const own = context.ownWorkName?.(application, cluster);
  const workName =
    names.find(candidate => candidate === own) ??
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
  const work = buildManifestWork(
    application,
    { cluster, name: workName, appProject: appProject || undefined },
    options,
  );
  const bytes = manifestBytes(work);
  return bytes > MAX_MANIFESTS
    ? refused(applicationFindings.tooLarge(bytes, MAX_MANIFESTS, details))
    : {
        kind: 'apply',
        work,
        ...(project &&
          !appProject && {
            findings: [applicationFindings.noAppProject(project, details)],
          }),
      };
}
