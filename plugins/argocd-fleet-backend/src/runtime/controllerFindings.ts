import { ServiceUnavailableError } from '@backstage/errors';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { errorMessage, isKubernetesError } from '../kubernetes/client';
import { controllerFindings } from '../model/findings';
import { MissingNamespaceError } from './hubWriter';

/** What a key names, where it is no Application. */
const KEY_KINDS: Readonly<Record<string, string>> = {
  aggregation: 'ApplicationSet',
  clusterImport: 'GitOpsCluster',
};

/** A key whose reconciliation failed, and will be tried again. */
export function failureFinding(
  controller: string,
  hub: string,
  key: string,
  error: unknown,
): Finding {
  const [namespace, name] = key.split('/');
  const reconcile = { controller, hub, key };
  const details = {
    evidence: errorMessage(error),
    object: { kind: KEY_KINDS[controller] ?? 'Application', namespace, name },
  };
  if (error instanceof MissingNamespaceError) {
    return controllerFindings.namespaceMissing(
      reconcile,
      error.namespace,
      details,
    );
  }
  if (isKubernetesError(error, 'forbidden')) {
    return controllerFindings.writeForbidden(
      reconcile,
      `${roleFile(controller)}.yaml`,
      details,
    );
  }
  if (isKubernetesError(error, 'invalid')) {
    return controllerFindings.writeInvalid(reconcile, details);
  }
  if (error instanceof ServiceUnavailableError) {
    return controllerFindings.notRecorded(hub, key, details);
  }
  return controllerFindings.reconcileFailed(reconcile, details);
}

/** A status is pushed and polled: with a finding on each of ten thousand Applications it would be megabytes. */
const MAX_FINDINGS = 200;

const SEVERITIES: readonly Finding['severity'][] = ['error', 'warning', 'info'];

/** The worst of the findings, and how many more there are. */
export function worstFindings(findings: readonly Finding[]): Finding[] {
  const sorted = SEVERITIES.flatMap(severity =>
    findings.filter(finding => finding.severity === severity),
  );
  const more = sorted.length - MAX_FINDINGS;
  return more > 0
    ? [
        ...sorted.slice(0, MAX_FINDINGS),
        controllerFindings.moreFindings(MAX_FINDINGS, sorted.length),
      ]
    : sorted;
}

const SHOWN = 20;

/** What `observe` mode would have written; empty where that is nothing. */
export function withheldFinding(
  controller: string,
  hub: string,
  writes: readonly string[],
): Finding[] {
  if (writes.length === 0) {
    return [];
  }
  const more = writes.length - SHOWN;
  return [
    controllerFindings.writesWithheld(controller, hub, writes.length, {
      evidence: [
        ...writes.slice(0, SHOWN),
        ...(more > 0 ? [`and ${more} more`] : []),
      ].join('\n'),
    }),
  ];
}

/** Name of the file in `deploy/rbac/` that has the controller's rules. */
function roleFile(controller: string): string {
  return controller.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}
