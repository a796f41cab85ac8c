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
  applicationManifest,
  getsDefaultNamespace,
  isLocalCluster,
  payloadNamespace,
  targetCluster,
  workNames,
} from '../delivery';
import { DIGEST_LENGTH, digestExpression } from '../feedback';
import { applicationFindings, unreadableFinding } from '../findings';
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

/** The hub's state that decides whether and how an Application is delivered: objects of the cache and plain values. */
export interface DeliveryFacts {
  /** The target cluster. */
  readonly managedCluster?: ManagedCluster;
  /** Whether PlacementDecisions of the Application's namespace authorise to deliver to its cluster. */
  readonly authorisation: Authorisation;
  /** `<namespace>/<name>` of another hub Application that owns the place on the cluster. */
  readonly otherOwner?: string;
  /** The Application's work in the namespace of its cluster: it keeps its name. */
  readonly existing?: ManifestWork;
  /** Those of the names that the work may have which other works have, in the namespace of the cluster. */
  readonly takenNames: readonly string[];
  /** The AppProject that the Application names, in the namespace of Argo CD. */
  readonly appProject?: ArgoAppProject;
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
  /** Give a destination without a namespace that of the Application on the cluster, in new works and changed specs. */
  readonly defaultDestinationNamespace: boolean;
}

/** The defaults of the configuration. */
export const DEFAULT_PROPAGATION: PropagationOptions = {
  allowLocalCluster: false,
  requireDecision: true,
  appNamespaces: new Map(),
  adoptReadOnly: false,
  defaultDestinationNamespace: false,
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
  facts: DeliveryFacts,
  options: PropagationOptions,
  builder: WorkBuilder = PLAIN_BUILDER,
): WorkPlan {
  const { name, namespace = '' } = application.metadata;
  const details = { object: { kind: 'Application', name, namespace } };
  const refused = (finding: Finding): WorkPlan => ({
    kind: 'refused',
    finding,
  });

  const { managedCluster, existing } = facts;
  const [unreadable] = [application, existing, facts.appProject].flatMap(
    object => (object && unreadableFinding(object)) ?? [],
  );
  if (unreadable) {
    return refused(unreadable);
  }
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
  if (!managedCluster) {
    return refused(applicationFindings.targetUnknown(cluster, details));
  }
  if (isLocalCluster(managedCluster) && !options.allowLocalCluster) {
    return {
      kind: 'excluded',
      reason: `${cluster} is the hub itself, which the pull model leaves out by default`,
    };
  }
  const unauthorised = options.requireDecision
    ? authorisationFinding(
        cluster,
        namespace,
        facts.authorisation,
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
            existing !== undefined &&
            applicationManifest(existing)?.metadata.namespace === payload,
        },
        details,
      ),
    );
  }

  if (facts.otherOwner !== undefined) {
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
    names.find(candidate => candidate === existing?.metadata.name) ??
    names.find(candidate => !facts.takenNames.includes(candidate));
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
  const appProject = project === undefined ? undefined : facts.appProject;
  const defaultNamespace = getsDefaultNamespace(
    application,
    existing && applicationManifest(existing),
    options.defaultDestinationNamespace,
  );
  const target = {
    cluster,
    name: workName,
    appProject,
    defaultNamespace,
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
    ...(defaultNamespace && !options.defaultDestinationNamespace
      ? [applicationFindings.defaultNamespaceKept(payload, details)]
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
