import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { readRule, type ReadResource } from './readRule';
import { shellWord } from './shellWord';

/** 40x: the hub, and other controllers on it. */
export const hubFindings = {
  /** @param counts - how many objects of each kind; at least one */
  objectsUnreadable: defineFinding(
    'AFC-400',
    'warning',
    (hub: string, counts: Readonly<Record<string, number>>) => ({
      title: `Objects of hub ${hub} cannot be read`,
      message: `Only the metadata of some objects of hub "${hub}" are known, because they are nested too deeply or could not be processed: ${Object.entries(
        counts,
      )
        .map(([kind, count]) => `${kind} (${count})`)
        .join(
          ', ',
        )}. Nothing is written or deleted for them, and they authorise nothing. Everything else goes on.`,
      fix: {
        description:
          'The log of the backend names each of them and says why. Have it changed by its owner, or delete it if nobody needs it.',
      },
    }),
    'nothing',
  ),

  resourceNotServed: defineFinding(
    'AFC-401',
    'error',
    (
      hub: string,
      resource: {
        readonly kind: string;
        /** `<plural>.<group>` */
        readonly id: string;
        /** What provides the resource. */
        readonly origin: string;
      },
      details: Details = {},
    ) => ({
      title: `${resource.kind} is not served by hub ${hub}`,
      message: `Hub "${hub}" has no resource ${resource.id}. Controllers that need it do not run, or do only a part of their work, until it is there; nothing is deleted meanwhile.`,
      fix: { description: `Install ${resource.origin} on the hub.` },
      object: { kind: 'CustomResourceDefinition', name: resource.id },
      ...details,
    }),
    'nothing',
  ),

  resourceForbidden: defineFinding(
    'AFC-402',
    'error',
    (
      hub: string,
      resource: ReadResource & { readonly kind: string },
      details: Details = {},
    ) => ({
      title: `${resource.kind} may not be read on hub ${hub}`,
      message: `The backend’s user on hub "${hub}" may not list and watch ${[resource.plural, resource.group].filter(Boolean).join('.')}. Controllers that need them do not run, or do only a part of their work, until it may; nothing is deleted meanwhile.`,
      fix: {
        description:
          'Add this rule to the user’s ClusterRole, or apply deploy/rbac/read.yaml:',
        command: readRule(resource),
      },
      ...details,
    }),
    'nothing',
  ),

  noHub: defineFinding(
    'AFC-403',
    'warning',
    () => ({
      title: 'No hub is configured',
      message: 'The Argo CD Fleet backend runs, but has no hub to read.',
      fix: {
        description: 'Add a hub to the configuration of the Backstage backend:',
        command: [
          'argocdFleet:',
          '  hubs:',
          '    - name: hub',
          '      kubeconfig:',
          '        path: /path/to/kubeconfig',
        ].join('\n'),
      },
    }),
    'nothing',
  ),

  olderHub: defineFinding(
    'AFC-404',
    'info',
    (
      hub: string,
      /** What ManifestWork lacks there. */
      lacking: {
        readonly fields: readonly string[];
        readonly consequences: readonly string[];
        /** The first version of Open Cluster Management that has all of them. */
        readonly since: string;
        /** Options of propagation that use the fields. */
        readonly options: readonly string[];
      },
      details: Details = {},
    ) => ({
      title: `Hub ${hub} has an older Open Cluster Management`,
      message: `ManifestWork on hub "${hub}" lacks fields that propagation can use: ${lacking.consequences.join('; ')}. Everything else works.`,
      evidence: `ManifestWork has no spec.manifestConfigs[].${lacking.fields.join(', ')}`,
      fix: {
        description: `Upgrade Open Cluster Management to ${lacking.since} or later; propagation then uses the fields by itself. To do without them, set ${lacking.options.map(option => `argocdFleet.propagation.${option}`).join(' and ')} to false.`,
      },
      ...details,
    }),
    'nothing',
  ),

  rhacmPropagates: defineFinding(
    'AFC-405',
    'warning',
    (hub: string, namespace: string, name: string, details: Details = {}) => ({
      title: `RHACM propagates on hub ${hub}`,
      message: `RHACM’s own controller (the Deployment ${namespace}/${name}) writes the ManifestWorks of hub "${hub}". Two controllers would overwrite each other’s changes for ever, so propagation only observes this hub until RHACM’s controller is switched off.`,
      fix: {
        description:
          'To deliver with this plugin, switch RHACM’s basic pull model off and restart its controller: it leaves its works as they are, ReadOnly, and argocdFleet.propagation.adoptReadOnly: true takes them over. To deliver with RHACM, set this controller to "observe".',
        command: `kubectl create configmap multicluster-integrations-config -n ${shellWord(namespace)} --from-literal=config.yaml='pullModel: {basic: {disabled: true}}'\nkubectl rollout restart deployments.apps ${shellWord(name)} -n ${shellWord(namespace)}`,
      },
      object: { kind: 'Deployment', namespace, name },
      ...details,
    }),
    'nothing',
  ),

  /** @param scope - what propagation only observes: works of this cluster, or of every cluster of the hub */
  worksOverwritten: defineFinding(
    'AFC-406',
    'error',
    (
      hub: string,
      work: { readonly namespace: string; readonly name: string },
      manager: string | undefined,
      scope: 'cluster' | 'hub',
      details: Details = {},
    ) => ({
      title: `Another writer overwrites ManifestWorks on hub ${hub}`,
      message: `${manager ? `“${manager}”` : 'A writer without field manager'} has overwritten more than once what propagation wrote into the ManifestWork ${work.namespace}/${work.name}${
        scope === 'hub' ? ', and likewise works of other clusters' : ''
      }. So that the two do not overwrite each other again and again, propagation only observes ${
        scope === 'hub'
          ? `hub "${hub}"`
          : `the works in namespace ${work.namespace} of hub "${hub}"`
      } until ten minutes after the other’s last write, and then tries again.`,
      fix: {
        description:
          'Find out what writes under that field manager and stop it, or set this controller to "observe" and leave delivery to it:',
        command: `kubectl get manifestworks.work.open-cluster-management.io ${shellWord(work.name)} -n ${shellWord(work.namespace)} -o yaml --show-managed-fields`,
      },
      ...details,
    }),
  ),

  rhacmUnknown: defineFinding(
    'AFC-407',
    'info',
    (hub: string, details: Details = {}) => ({
      title: `Unknown whether RHACM propagates on hub ${hub}`,
      message: `The backend’s user on hub "${hub}" may not read whether RHACM’s own controllers run there. Propagation continues; it stops if another controller writes the same ManifestWorks.`,
      fix: {
        description:
          'Give the backend’s user the rules of deploy/rbac/read.yaml:',
        command: 'kubectl apply -f deploy/rbac/read.yaml',
      },
      ...details,
    }),
    'nothing',
  ),

  rhacmReports: defineFinding(
    'AFC-408',
    'warning',
    (hub: string, namespace: string, name: string) => ({
      title: `RHACM writes the reports on hub ${hub}`,
      message: `RHACM’s own controller (the Deployment ${namespace}/${name}) writes the MulticlusterApplicationSetReports of hub "${hub}". Two controllers would overwrite each other’s changes for ever, so aggregation only observes this hub until RHACM’s pull model is switched off.`,
      fix: {
        description:
          'To deliver with RHACM, set this controller to "observe". To deliver with this plugin, see finding AFC-405 of propagation.',
      },
      object: { kind: 'Deployment', namespace, name },
    }),
    'nothing',
  ),

  certificateNotVerified: defineFinding(
    'AFC-409',
    'warning',
    (hub: string) => ({
      title: `The certificate of hub ${hub} is not verified`,
      message: `Verification is switched off for hub "${hub}" (insecure-skip-tls-verify in its kubeconfig, or skipTLSVerify). Anyone on the network path can impersonate the hub, read the backend’s token, and use its permissions.`,
      fix: {
        description:
          'Remove that setting, and name the CA of the hub: certificate-authority or certificate-authority-data in the kubeconfig, or caFile or caData beside url in argocdFleet.hubs. If the token was used on a network that you do not trust, replace it.',
      },
    }),
    'nothing',
  ),
} satisfies FindingsOfRange<'40'>;
