import { ServiceUnavailableError } from '@backstage/errors';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { errorMessage, isKubernetesError } from '../kubernetes/client';
import type { Controller } from './controller';
import { MissingNamespaceError } from './hubWriter';

/** What is wrong with a key whose reconcile failed; the runner retries it. */
export function failureFinding(
  { name, failureContext }: Pick<Controller, 'name' | 'failureContext'>,
  hub: string,
  key: string,
  error: unknown,
): Finding {
  const base = {
    evidence: errorMessage(error),
    object: failureContext.objectOf(key),
  };
  if (error instanceof MissingNamespaceError) {
    return {
      ...base,
      code: 'AFC-414',
      severity: 'error',
      title: `Hub ${hub} has no namespace ${error.namespace}`,
      message: `${name} has to write an object for ${key} into the namespace ${error.namespace}, which does not exist. It retries less and less often.`,
      fix: {
        description:
          'The namespace of a managed cluster has the name of the cluster. Open Cluster Management creates it when the cluster is accepted. Check that the cluster is accepted; create the namespace again if it was deleted:',
        command: `kubectl get managedcluster ${error.namespace}\nkubectl create namespace ${error.namespace}`,
      },
    };
  }
  if (isKubernetesError(error, 'forbidden')) {
    return {
      ...base,
      code: 'AFC-411',
      severity: 'error',
      title: `The hub does not allow a write that ${key} needs`,
      message: `Hub "${hub}" forbids a request that ${name} has to make for ${key}. It retries by itself, soon after the request is allowed.`,
      fix: {
        description:
          'Give our service account the rules of deploy/rbac/, or set this controller to "observe".',
        command: `kubectl apply -f deploy/rbac/${failureContext.rbacFile}`,
      },
    };
  }
  if (isKubernetesError(error, 'invalid')) {
    return {
      ...base,
      code: 'AFC-412',
      severity: 'error',
      title: `The hub rejects what ${key} would write`,
      message: `The API server of hub "${hub}" rejects what ${name} writes for ${key} as invalid. It retries when something changes.`,
    };
  }
  if (error instanceof ServiceUnavailableError) {
    return {
      ...base,
      code: 'AFC-415',
      severity: 'warning',
      title: `${key} could not be recorded`,
      message: `The database of the plugin did not store the state of ${key} on hub "${hub}". The pages show the current state. Its history is completed when the database works again, except for transitions that were reverted meanwhile.`,
    };
  }
  return {
    ...base,
    code: 'AFC-413',
    severity: 'warning',
    title: `${key} could not be brought up to date`,
    message: `A request to hub "${hub}" failed while ${name} reconciled ${key}. It retries by itself.`,
  };
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
        {
          code: 'AFC-421',
          severity: 'info',
          title: `${more} more findings`,
          message: `These are the ${MAX_FINDINGS} most severe of ${sorted.length} findings. The page of an ApplicationSet shows all of its findings.`,
        },
      ]
    : sorted;
}

const SHOWN = 20;

/** What `observe` mode would have written; empty where it is nothing. */
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
    {
      code: 'AFC-420',
      severity: 'info',
      title: `${writes.length} ${writes.length === 1 ? 'write' : 'writes'} withheld`,
      message: `${controller} only observes hub "${hub}". The evidence lists what it would write now.`,
      evidence: [
        ...writes.slice(0, SHOWN),
        ...(more > 0 ? [`and ${more} more`] : []),
      ].join('\n'),
      fix: {
        description: `Set argocdFleet.controllers.${controller}.mode to "manage" to allow these writes.`,
      },
    },
  ];
}
