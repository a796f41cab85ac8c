import {
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  SKIP_RECONCILE_ANNOTATION,
} from 'backstage-plugin-argocd-fleet-common';

/** Annotations of the pull model, as lines for {@link pullMetadata}. */
export const TARGET_LINE = `    ${MANAGED_CLUSTER_ANNOTATION}: "{{name}}"`;
export const SKIP_LINE = `    ${SKIP_RECONCILE_ANNOTATION}: "true"`;

/** The pull label and annotations, in YAML, as the template of an ApplicationSet has them. */
export function pullMetadata(annotations: readonly string[]): string {
  return [
    'metadata:',
    '  labels:',
    `    ${PULL_LABEL}: "true"`,
    ...(annotations.length > 0 ? ['  annotations:', ...annotations] : []),
  ].join('\n');
}
