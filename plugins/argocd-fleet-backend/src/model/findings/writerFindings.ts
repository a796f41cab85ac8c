import {
  RHACM_INTEGRATIONS,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { defineFinding, type FindingsOfRange } from './defineFinding';
import { resourceOfKind } from './resourceNames';
import { shellWord } from './shellWord';
import { shownNames } from './shownNames';
import { yamlName } from './yamlName';

/** 13x: others that write what the controllers write, or look as if they did. */
export const writerFindings = {
  /** @param namespaces - where such a Deployment runs; at least one */
  notRhacm: defineFinding(
    'AFC-130',
    'warning',
    (
      hub: string,
      { namespaces }: { readonly namespaces: readonly string[] },
      rhacmNamespace: string,
    ) => ({
      title: `A Deployment that looks like RHACM’s is ignored on hub ${hub}`,
      message: `In ${
        namespaces.length === 1
          ? `the namespace ${namespaces[0]}`
          : `${namespaces.length} namespaces`
      } of hub "${hub}" runs a Deployment ${RHACM_INTEGRATIONS}, the name of RHACM’s own controller. It is ignored, because RHACM’s namespace is configured as ${rhacmNamespace}: elsewhere anyone may have a Deployment of that name.`,
      evidence: shownNames(namespaces).join('\n'),
      fix: {
        description:
          'If RHACM is installed there, two controllers overwrite each other’s ManifestWorks and reports: set its namespace in the configuration of the plugin. Otherwise ask its owner to rename it.',
        command: `argocdFleet:\n  hubs:\n    - name: ${yamlName(hub)}\n      rhacmNamespace: ${yamlName(namespaces[0])}`,
      },
      object: {
        kind: 'Deployment',
        namespace: namespaces[0],
        name: RHACM_INTEGRATIONS,
      },
    }),
  ),

  /** One for all objects of a controller: thousands may be contested in the same way. */
  undone: defineFinding(
    'AFC-131',
    'warning',
    (
      hub: string,
      contested: {
        /** What is written: `status`, or undefined for the whole object. */
        readonly part?: string;
        readonly kind: string;
        /** At least one. */
        readonly objects: readonly NamespacedName[];
        /** Field managers that seem to be the other writer; not all are known. */
        readonly managers: readonly string[];
      },
    ) => {
      const { part, kind, objects, managers } = contested;
      const resource = resourceOfKind(kind);
      const [{ namespace, name }] = objects;
      const who =
        managers.length > 0
          ? `: ${shownNames(managers.map(manager => `“${manager}”`)).join(', ')}, as far as managed fields tell`
          : '';
      const what = `${part ? `the ${part} of ` : ''}${
        objects.length === 1
          ? `the ${kind} ${namespace}/${name}`
          : `${objects.length} objects (${kind})`
      }`;
      return {
        title: `Another writer undoes what is written on hub ${hub}`,
        message: `Another writer changes ${what} back each time after this controller has written it${who}. So that the two do not write as fast as they can, the same is written more and more rarely, every five minutes in the end, until the other has left it alone for ten minutes. New contents are written at once.`,
        evidence: shownNames(
          objects.map(each => `${each.namespace}/${each.name}`),
        ).join('\n'),
        fix: {
          description: `Find out which field manager writes there, and stop it. argocd-applicationset-controller empties a status where spec.ignoreApplicationDifferences of the ApplicationSet names /status or a part of it: remove that. argocd-application-controller reconciles the Application on the hub: see AFC-107. To leave the objects to the other, set this controller to "observe".`,
          ...(resource && {
            command: `kubectl get ${resource} ${shellWord(name)} -n ${shellWord(namespace)} -o yaml --show-managed-fields`,
          }),
        },
        object: { kind, namespace, name },
      };
    },
  ),
} satisfies FindingsOfRange<'13'>;
