import { COMPONENT_ANNOTATIONS } from 'backstage-plugin-argocd-fleet-common';
import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { pullMetadata, SKIP_LINE, TARGET_LINE } from './pullMetadata';
import { shellWord } from './shellWord';

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
