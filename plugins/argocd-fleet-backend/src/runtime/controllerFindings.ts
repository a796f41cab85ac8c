import { ServiceUnavailableError } from '@backstage/errors';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { errorMessage, isKubernetesError } from '../kubernetes/client';
import { controllerFindings, shownNames } from '../model/findings';
import type { Controller } from './controller';
import { MissingNamespaceError } from './hubWriter';

/** What is wrong with a key whose reconcile failed; the runner retries it. */
export function failureFinding(
  { name, failureContext }: Pick<Controller, 'name' | 'failureContext'>,
  hub: string,
  key: string,
  error: unknown,
): Finding {
  const reconcile = { controller: name, hub, key };
  const details = {
    evidence: errorMessage(error),
    object: failureContext.objectOf(key),
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
      failureContext.rbacFile,
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

/** The status is pushed and polled: with a finding for each of ten thousand Applications it would be megabytes. */
const MAX_FINDINGS = 200;

const SEVERITIES: readonly Finding['severity'][] = ['error', 'warning', 'info'];

/** The most severe findings, and how many more there are. */
export function mostSevereFindings(findings: readonly Finding[]): Finding[] {
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

/** What `observe` mode would have written; empty where it is nothing. */
export function withheldFinding(
  controller: string,
  hub: string,
  writes: readonly string[],
): Finding[] {
  if (writes.length === 0) {
    return [];
  }
  return [
    controllerFindings.writesWithheld(controller, hub, writes.length, {
      evidence: shownNames(writes).join('\n'),
    }),
  ];
}
