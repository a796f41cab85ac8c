import { APPLICATION_SET_ENTITY_ANNOTATION } from 'backstage-plugin-argocd-fleet-common';

/** What an entity's YAML looks like when it is linked. */
export function annotationExample(component: string): string {
  return [
    'metadata:',
    `  name: ${component}`,
    '  annotations:',
    `    ${APPLICATION_SET_ENTITY_ANNOTATION}: openshift-gitops/${component}-app-set`,
  ].join('\n');
}
