import { COMPONENT_ANNOTATIONS } from 'backstage-plugin-argocd-fleet-common';
import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { pullMetadata, SKIP_LINE, TARGET_LINE } from './pullMetadata';
import { shellWord } from './shellWord';

/** Placeholders of a template in an Application that was generated from it. */
export interface PlaceholdersLeft {
  readonly placeholders: readonly string[];
  readonly goTemplate: boolean;
}

/** 3xx: the ApplicationSet as a whole. */
export const applicationSetFindings = {
  applicationSetFailed: defineFinding(
    'AFC-301',
    'error',
    (details: Details = {}) => ({
      title: 'The ApplicationSet cannot generate its Applications',
      message:
        'Argo CD’s ApplicationSet controller reports an error; Applications may be missing or out of date.',
      fix: {
        description:
          'The evidence names the reason. Correct the ApplicationSet.',
      },
      ...details,
    }),
  ),

  placementMissing: defineFinding(
    'AFC-302',
    'error',
    (placement: string, namespace: string, details: Details = {}) => ({
      title: `No Placement ${placement}`,
      message: `The generator takes its clusters from the Placement ${placement}, which does not exist in ${namespace}.`,
      fix: {
        description:
          'Create it, or correct the generator’s labelSelector. The namespace has these:',
        command: `kubectl get placements.cluster.open-cluster-management.io -n ${shellWord(namespace)}`,
      },
      ...details,
    }),
  ),

  nothingSelected: defineFinding(
    'AFC-303',
    'warning',
    (placement: string, namespace: string, details: Details = {}) => ({
      title: 'No cluster selected',
      message: `The Placement ${placement} selects no cluster, so there is nothing to deploy to.`,
      fix: {
        description:
          'A Placement selects from the cluster sets that are bound to its namespace. Check the bindings and the Placement’s labels:',
        command: `kubectl get managedclustersetbindings.cluster.open-cluster-management.io -n ${shellWord(namespace)}\nkubectl describe placements.cluster.open-cluster-management.io ${shellWord(placement)} -n ${shellWord(namespace)}`,
      },
      ...details,
    }),
  ),

  everythingOnHub: defineFinding(
    'AFC-309',
    'warning',
    (placement: string, applications: number, details: Details = {}) => ({
      title: 'Deploys to the hub, not to the clusters that it selects',
      message: `The Placement ${placement} selects the clusters, but the template’s destination is always the hub’s own cluster, and the template lacks the label of the pull model: ${
        applications === 1
          ? 'one Application deploys'
          : `all ${applications} Applications deploy`
      } to the hub.`,
      fix: {
        description:
          'For the pull model, add this to the template; with goTemplate, the placeholder is {{.name}}. For the push model, set the template’s spec.destination.server to {{server}} instead.',
        command: pullMetadata([TARGET_LINE, SKIP_LINE]),
      },
      ...details,
    }),
  ),

  /** @param placeholders - as they are left in an Application that was generated */
  placeholdersLeft: defineFinding(
    'AFC-310',
    'error',
    (
      { placeholders, goTemplate }: PlaceholdersLeft,
      details: Details = {},
    ) => ({
      title: 'Placeholders are left in the Applications',
      message: `The ApplicationSet’s controller did not fill in ${placeholders.join(', ')}: its Applications have it as it is written.`,
      fix: {
        description: goTemplate
          ? 'With goTemplate: true, a parameter begins with a dot, as in {{.name}}; one that the generator does not give stays, unless goTemplateOptions has missingkey=error.'
          : 'Without goTemplate, a parameter is written without a dot, as in {{name}}, and one that the generator does not give stays. For {{.name}}, set goTemplate: true.',
      },
      ...details,
    }),
  ),

  /** @param policy - `create-only` or `create-update` */
  applicationsKept: defineFinding(
    'AFC-311',
    'info',
    (policy: string, count: number, details: Details = {}) => ({
      title: 'Applications stay where the Placement selects no more',
      message: `syncPolicy.applicationsSync is ${policy}: the ApplicationSet’s controller deletes no Application. It has ${
        count === 1 ? 'one' : count
      } more than the Placement selects clusters.`,
      fix: {
        description:
          'Delete those that are not needed; or let the controller delete them with applicationsSync: sync, after a look at what that deletes.',
      },
      ...details,
    }),
  ),

  noDecision: defineFinding(
    'AFC-312',
    'warning',
    (
      placement: string | undefined,
      namespace: string,
      details: Details = {},
    ) => ({
      title: 'The generator finds no placement decision',
      message: `The generator finds no PlacementDecision${
        placement ? ` of the Placement ${placement}` : ''
      }, and the ApplicationSet’s controller changes nothing then: Applications that exist stay as they are.`,
      fix: {
        description:
          'Have the Placement select a cluster, or correct the generator’s labelSelector or name. The namespace has these decisions:',
        command: `kubectl get placementdecisions.cluster.open-cluster-management.io -n ${shellWord(namespace)} --show-labels`,
      },
      ...details,
    }),
  ),

  deletedInReverse: defineFinding(
    'AFC-313',
    'info',
    (details: Details = {}) => ({
      title: 'Deleted step by step, the last step first',
      message:
        'The ApplicationSet is being deleted, and strategy.deletionOrder is Reverse: the Applications of a step are deleted once those of all later steps are gone. Until then they stay, and run on.',
      fix: {
        description:
          'Wait; where it does not go on, see what keeps the Applications of the last step that has any.',
      },
      ...details,
    }),
  ),

  beingDeleted: defineFinding(
    'AFC-315',
    'info',
    (applications: number, details: Details = {}) => ({
      title: 'The ApplicationSet is being deleted',
      message: `It stays until the last of its Applications is gone from its cluster; ${
        applications === 1 ? 'one is' : `${applications} are`
      } left.`,
      fix: {
        description:
          'Wait: an agent that is away follows once it is connected. To have the ApplicationSet gone now, whatever becomes of those clusters:',
        command: `kubectl delete applicationsets.argoproj.io ${shellWord(details.object?.name ?? '')} -n ${shellWord(details.object?.namespace ?? '')} --cascade=background`,
      },
      ...details,
    }),
  ),

  scoredDecisions: defineFinding(
    'AFC-314',
    'warning',
    (placement: string, missing: number, details: Details = {}) => ({
      title: 'Argo CD may stop at the scores of the Placement',
      message: `${
        missing === 1 ? 'One Application is' : `${missing} Applications are`
      } missing, and the decisions of the Placement ${placement} have scores: the ApplicationSet’s controller of Argo CD before 3.3.9 and before 3.4.0 fails at those (interface conversion: interface {} is int64, not string).`,
      fix: {
        description:
          'Upgrade the hub’s Argo CD to 3.3.9, 3.4.0 or later. Until then, take prioritizers with scores out of the Placement. Whether its log has that error:',
        command:
          "kubectl logs -A -l app.kubernetes.io/name=argocd-applicationset-controller --tail=1000 | grep 'interface conversion'",
      },
      ...details,
    }),
  ),

  ownerMissing: defineFinding(
    'AFC-304',
    'warning',
    (name: string, namespace: string, details: Details = {}) => ({
      title: 'No owner recorded',
      message:
        'The portal created this ApplicationSet, but no owner is recorded on it: only who may change every ApplicationSet can change it through the portal. It keeps running.',
      fix: {
        description:
          'Record the group or user that owns it. Run the template again under the same name, as somebody who may change every ApplicationSet, or use this command with the owner in it:',
        command: `kubectl annotate applicationsets.argoproj.io ${shellWord(name)} -n ${shellWord(namespace)} ${COMPONENT_ANNOTATIONS.owner}=group:default/OWNER`,
      },
      ...details,
    }),
  ),

  notWritable: defineFinding('AFC-305', 'info', (details: Details = {}) => ({
    title: 'The portal may no longer change this ApplicationSet',
    message:
      'The portal created this ApplicationSet, and its configuration does not allow it any more. It keeps running as it is, but a template that changes it is refused.',
    fix: {
      description:
        'The evidence names the configuration that allows it. Extend that, or change the ApplicationSet on the hub.',
    },
    ...details,
  })),

  componentNamespace: defineFinding(
    'AFC-306',
    'warning',
    (component: string, namespace: string, details: Details = {}) => ({
      title: `The namespace ${namespace} may not define components`,
      message: `The ApplicationSet’s annotations define the component ${component}. The configuration does not let ApplicationSets of ${namespace} define components, so the catalog gets none; one that it already has stays as long as argocdFleet.components.namespaces is not set.`,
      fix: {
        description: `If everyone who may write ApplicationSets in ${namespace} may choose the name and owner of a component, add ${namespace} to argocdFleet.components.namespaces in app-config.yaml, beside Argo CD’s own namespace. Otherwise describe the component in a catalog file.`,
      },
      ...details,
    }),
  ),

  componentName: defineFinding(
    'AFC-307',
    'warning',
    (details: Details = {}) => ({
      title: 'The annotation argocd-fleet/component is not a valid name',
      message: 'The catalog has no component of the ApplicationSet.',
      fix: {
        description: 'Use at most 63 letters, digits, and - _ . between them.',
      },
      ...details,
    }),
  ),

  componentKept: defineFinding(
    'AFC-308',
    'warning',
    (component: string, namespace: string, details: Details = {}) => ({
      title: `The namespace ${namespace} may not define new components`,
      message: `The ApplicationSet’s annotations define the component ${component}, which the catalog already has. The configuration does not let ApplicationSets of ${namespace} define components: this one stays as long as argocdFleet.components.namespaces is not set, and is removed when that lists namespaces without ${namespace}.`,
      fix: {
        description: `If everyone who may write ApplicationSets in ${namespace} may choose the name and owner of a component, add ${namespace} to argocdFleet.components.namespaces in app-config.yaml, beside Argo CD’s own namespace. Otherwise set it without ${namespace}, and describe the component in a catalog file.`,
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'3'>;
