import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { shellWord } from './shellWord';

/** 24x and 25x: why a cluster, or the AppProject there, refuses what a sync applies. */
export const refusalFindings = {
  annotationTooLong: defineFinding(
    'AFC-240',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'A manifest is too large for client-side apply',
      message: `${cluster} refuses an object because its annotations are longer than 262,144 bytes: client-side apply stores the whole manifest in one of them. Large CustomResourceDefinitions and ConfigMaps are like that.`,
      fix: {
        description:
          'Add ServerSideApply=true to syncPolicy.syncOptions in the template of the ApplicationSet, or to the annotation argocd.argoproj.io/sync-options of that object in Git. It stores no such annotation.',
      },
      ...details,
    }),
  ),

  labelTooLong: defineFinding(
    'AFC-241',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'The value of a label is too long',
      message: `${cluster} refuses an object because the value of a label has more than 63 characters. If it is the name of the Application, Argo CD sets it to track what it deploys.`,
      fix: {
        description:
          'Shorten the label in Git, or the name in the template of the ApplicationSet; or have Argo CD on the cluster track by annotation (application.resourceTrackingMethod: annotation in argocd-cm, the default since Argo CD 3.0).',
      },
      ...details,
    }),
  ),

  notPermitted: defineFinding(
    'AFC-242',
    'error',
    (
      cluster: string,
      what: string,
      project: string,
      details: Details = {},
    ) => ({
      title: `The AppProject does not permit ${what}`,
      message: `The AppProject ${project} on ${cluster} does not permit ${what}, so Argo CD does not sync the Application.`,
      fix: {
        description:
          'Take it out of the source, or permit it in the AppProject on the cluster: clusterResourceWhitelist, namespaceResourceBlacklist, destinations. What the AppProject permits:',
        command: `kubectl --context ${shellWord(cluster)} get appprojects.argoproj.io -A --field-selector metadata.name=${shellWord(project)} -o yaml`,
      },
      ...details,
    }),
  ),

  kindUnknown: defineFinding(
    'AFC-243',
    'error',
    (cluster: string, kind: string, details: Details = {}) => ({
      title: `${cluster} does not know ${kind}`,
      message: `The source contains an object of kind ${kind}, and ${cluster} has no such kind, or not in that version: its CustomResourceDefinition is missing.`,
      fix: {
        description:
          'Install the operator or the CustomResourceDefinition first: by another Application, or in an earlier sync wave with SkipDryRunOnMissingResource=true on the object. If the version changed, correct apiVersion in Git.',
      },
      ...details,
    }),
  ),

  deniedByPolicy: defineFinding(
    'AFC-244',
    'error',
    (cluster: string, policy: string, details: Details = {}) => ({
      title: `A policy of ${cluster} denies the request`,
      message: `The admission policy ${policy} on ${cluster} denies an object of the Application.`,
      fix: {
        description:
          'The evidence is the policy’s reason. Correct the manifest in Git, or ask whoever owns the policy for an exception.',
      },
      ...details,
    }),
  ),

  webhookSilent: defineFinding(
    'AFC-245',
    'error',
    (cluster: string, webhook: string, details: Details = {}) => ({
      title: `An admission webhook of ${cluster} does not answer`,
      message: `The API server of ${cluster} has to ask the admission webhook ${webhook} before it accepts an object, and gets no answer.`,
      fix: {
        description:
          'Get the Pods of the webhook to run again. If it is being installed by the same sync, put it into an earlier sync wave. The configurations of webhooks:',
        command: `kubectl --context ${shellWord(cluster)} get validatingwebhookconfigurations.admissionregistration.k8s.io,mutatingwebhookconfigurations.admissionregistration.k8s.io`,
      },
      ...details,
    }),
  ),

  fieldImmutable: defineFinding(
    'AFC-246',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'A field cannot be changed',
      message: `The source changes a field that Kubernetes does not let be changed on ${cluster}: the object has to be created anew.`,
      fix: {
        description:
          'Take the change back, give the object another name, or have it deleted and created again with the annotation argocd.argoproj.io/sync-options: Replace=true,Force=true on it in Git. What it runs is interrupted, and a volume may be lost with its claim.',
      },
      ...details,
    }),
  ),

  namespaceAbsent: defineFinding(
    'AFC-247',
    'error',
    (cluster: string, namespace: string, details: Details = {}) => ({
      title: `${cluster} has no namespace ${namespace}`,
      message: `An object of the Application belongs into the namespace ${namespace}, which does not exist on ${cluster}.`,
      fix: {
        description:
          'Add CreateNamespace=true to syncPolicy.syncOptions in the template of the ApplicationSet, which creates the namespace of the destination; or have the namespace in the source. To create it by hand:',
        command: `kubectl --context ${shellWord(cluster)} create namespace ${shellWord(namespace)}`,
      },
      ...details,
    }),
  ),

  quotaExceeded: defineFinding(
    'AFC-248',
    'error',
    (cluster: string, quota: string, details: Details = {}) => ({
      title: `The quota ${quota} is exhausted`,
      message: `The ResourceQuota ${quota} on ${cluster} does not let an object of the Application be created or grow.`,
      fix: {
        description:
          'The evidence names what is requested, used and allowed. Request less in Git, free something in the namespace, or have the quota raised.',
      },
      ...details,
    }),
  ),

  fieldConflict: defineFinding(
    'AFC-249',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'Another manager owns a field',
      message: `With server-side apply, another manager owns a field on ${cluster} that the source sets too, so the API server refuses the change.`,
      fix: {
        description:
          'Let one of the two manage the field: take it out of Git, and out of the comparison with spec.ignoreDifferences and RespectIgnoreDifferences=true; or have the other manager give it up.',
      },
      ...details,
    }),
  ),

  resourceShared: defineFinding(
    'AFC-250',
    'warning',
    (cluster: string, details: Details = {}) => ({
      title: 'Two Applications deploy the same object',
      message: `Another Application on ${cluster} deploys an object of this one too: they overwrite each other’s, and whichever is deleted first takes it along.`,
      fix: {
        description:
          'Have one of the two deploy it. If both are of one ApplicationSet, its template gives them the same namespace and names.',
      },
      ...details,
    }),
  ),

  serviceAccountMissing: defineFinding(
    'AFC-251',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'No service account to sync with',
      message: `Argo CD on ${cluster} syncs with a service account that the AppProject names for each destination, and it names none for this one.`,
      fix: {
        description:
          'Add the destination to spec.destinationServiceAccounts of the AppProject on the cluster; or switch application.sync.impersonation.enabled off in argocd-cm there.',
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'2'>;
