import { APPLICATION_SET_ENTITY_ANNOTATION } from 'backstage-plugin-argocd-fleet-common';

/** YAML of an entity with the annotation that links an ApplicationSet. */
export function annotationExample(component: string): string {
  return [
    'metadata:',
    `  name: ${component}`,
    '  annotations:',
    `    ${APPLICATION_SET_ENTITY_ANNOTATION}: openshift-gitops/${component}-app-set`,
  ].join('\n');
}
