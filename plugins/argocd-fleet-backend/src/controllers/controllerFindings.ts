import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { errorMessage, isHubError } from '../hub';

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
      kind: controller === 'aggregation' ? 'ApplicationSet' : 'Application',
      namespace,
      name,
    },
  };
  if (isHubError(error, 'forbidden')) {
    return {
      ...base,
      code: 'AFC-411',
      severity: 'error',
      title: `The hub does not allow a write that ${key} needs`,
      message: `Hub "${hub}" refuses what ${controller} has to write for ${key}. It is tried again, less and less often.`,
      fix: {
        description:
          'Give our service account the rules of deploy/rbac.yaml, or set this controller to "observe".',
        command: 'kubectl apply -f deploy/rbac.yaml',
      },
    };
  }
  if (isHubError(error, 'invalid')) {
    return {
      ...base,
      code: 'AFC-412',
      severity: 'error',
      title: `The hub rejects what ${key} would write`,
      message: `The API server of hub "${hub}" finds what ${controller} writes for ${key} invalid. It is tried again when something changes.`,
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
