import { ServiceUnavailableError } from '@backstage/errors';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { errorMessage, isKubernetesError } from '../kubernetes/client';
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
  const evidence = errorMessage(error);
  const [namespace, name] = key.split('/');
  const base = {
    evidence,
    object: {
      kind: KEY_KINDS[controller] ?? 'Application',
      namespace,
      name,
    },
  };
  if (error instanceof MissingNamespaceError) {
    return {
      ...base,
      code: 'AFC-414',
      severity: 'error',
      title: `Hub ${hub} has no namespace ${error.namespace}`,
      message: `What ${controller} makes for ${key} belongs into the namespace ${error.namespace}, which does not exist. It is tried again, less and less often.`,
      fix: {
        description:
          'The namespace of a managed cluster has its name, and Open Cluster Management makes it when the cluster is accepted. See whether it was, or make the namespace anew where it was deleted:',
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
      message: `Hub "${hub}" refuses what ${controller} has to write for ${key}. It is tried again by itself, soon after it is allowed.`,
      fix: {
        description:
          'Give our service account the rules of deploy/rbac/, or set this controller to "observe".',
        command: `kubectl apply -f deploy/rbac/${roleFile(controller)}.yaml`,
      },
    };
  }
  if (isKubernetesError(error, 'invalid')) {
    return {
      ...base,
      code: 'AFC-412',
      severity: 'error',
      title: `The hub rejects what ${key} would write`,
      message: `The API server of hub "${hub}" finds what ${controller} writes for ${key} invalid. It is tried again when something changes.`,
    };
  }
  if (error instanceof ServiceUnavailableError) {
    return {
      ...base,
      code: 'AFC-415',
      severity: 'warning',
      title: `${key} could not be recorded`,
      message: `The database of the plugin did not take the state of ${key} on hub "${hub}". What is shown is current; its history gets what is missing when the database takes it again, less what came and went meanwhile.`,
    };
  }
  return {
    ...base,
    code: 'AFC-413',
    severity: 'warning',
    title: `${key} could not be brought up to date`,
    message: `A request to hub "${hub}" failed while ${controller} worked on ${key}. It is tried again by itself.`,
  };
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
        {
          code: 'AFC-421',
          severity: 'info',
          title: `${more} more findings`,
          message: `These are the first ${MAX_FINDINGS} of ${sorted.length}, the worst of them. Each is shown with its ApplicationSet too.`,
        },
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
    {
      code: 'AFC-420',
      severity: 'info',
      title: `${writes.length} ${writes.length === 1 ? 'write' : 'writes'} withheld`,
      message: `${controller} only observes hub "${hub}": this is what it would write now.`,
      evidence: [
        ...writes.slice(0, SHOWN),
        ...(more > 0 ? [`and ${more} more`] : []),
      ].join('\n'),
      fix: {
        description: `Set argocdFleet.controllers.${controller}.mode to "manage" to have it written.`,
      },
    },
  ];
}

/** Name of the file in `deploy/rbac/` that has the controller's rules. */
function roleFile(controller: string): string {
  return controller.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}
