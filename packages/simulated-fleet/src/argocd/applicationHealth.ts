import {
  ApplicationStatus,
  ResourceHealth,
  ResourceStatus,
} from '../kubernetes/argocdTypes';
import { kubeTime } from '../kubernetes/objects';
import {
  DeployedResource,
  KINDS_WITH_HEALTH,
  ROLLED_OUT_KINDS,
} from '../cluster/environment';

/** From best to worst, as Argo CD orders them. */
const HEALTH_ORDER = [
  'Healthy',
  'Suspended',
  'Progressing',
  'Missing',
  'Degraded',
  'Unknown',
];

/** The health of a resource that does not exist yet; undefined for kinds without health. */
export function missingHealth({
  kind,
}: DeployedResource): ResourceHealth | undefined {
  return KINDS_WITH_HEALTH.includes(kind) ? { status: 'Missing' } : undefined;
}

/** The health of a resource right after it was applied; undefined for kinds without health. */
export function startingHealth({
  kind,
  name,
}: DeployedResource): ResourceHealth | undefined {
  if (ROLLED_OUT_KINDS.includes(kind)) {
    return kind === 'Deployment'
      ? {
          status: 'Progressing',
          message: `Waiting for rollout to finish: 0 of 1 updated replicas are available...`,
        }
      : { status: 'Progressing', message: `Waiting for ${name} to start` };
  }
  return KINDS_WITH_HEALTH.includes(kind) ? { status: 'Healthy' } : undefined;
}

/** The health of an Application: the worst health of its resources. */
export function worstHealth(resources: readonly ResourceStatus[]): string {
  const worst = Math.max(
    0,
    ...resources.map(({ health }) =>
      health ? HEALTH_ORDER.indexOf(health.status) : 0,
    ),
  );
  return HEALTH_ORDER[worst];
}

/** `status.health`; its transition time changes only with the health. */
export function healthStatus(
  previous: ApplicationStatus,
  status: string,
  now: Date,
) {
  const since =
    previous.health?.status === status
      ? previous.health.lastTransitionTime
      : undefined;
  return { status, lastTransitionTime: since ?? kubeTime(now) };
}
