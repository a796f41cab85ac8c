import { ClusterStore, ObjectRef, refOf } from '../../cluster/clusterStore';
import { Application, ResourceHealth } from '../../kubernetes/argocdTypes';
import { Rollout } from '../../kubernetes/rolloutTypes';
import { RolloutFacts } from '../../scenario/rolloutSchema';
import { DeployedResource, DeploymentEnvironment } from '../environment';
import { completed } from './rolloutStatus';

export const ROLLOUTS = { group: 'argoproj.io', resource: 'rollouts' } as const;

const TRACKING = 'argocd.argoproj.io/tracking-id';

/** For a Rollout of which the scenario says no more. */
const DEFAULT_FACTS: RolloutFacts = {
  replicas: 3,
  canary: {
    steps: [
      { setWeight: 20 },
      { pause: { duration: '5s' } },
      { setWeight: 60 },
      { pause: { duration: '5s' } },
    ],
  },
};

/**
 * Keeps on the cluster the Rollouts that an Application has deployed, at the
 * revision of its last sync, and prunes those that it no longer names.
 */
export function deployRollouts(
  application: Application,
  environment: DeploymentEnvironment,
  store: ClusterStore,
): void {
  const last = application.status?.history?.at(-1);
  const revision = last?.revisions?.join('-') ?? last?.revision;
  if (!revision) {
    return;
  }
  const wanted = environment
    .resources(application)
    .filter(isRollout)
    .map(resource => rolloutOf(resource, application, revision));
  const names = new Set(wanted.map(nameOf));
  rolloutsOf(application, store)
    .filter(rollout => !names.has(nameOf(rollout)))
    .forEach(rollout => store.delete(refOf(rollout)));
  for (const rollout of wanted) {
    const existing = store.get(refOf(rollout)) as Rollout | undefined;
    if (existing) {
      store.put({ ...existing, spec: rollout.spec });
    } else {
      // One that its Application knows as healthy was there before this fleet was.
      const settled =
        healthInStatus(application, rollout)?.status === 'Healthy';
      store.put(settled ? { ...rollout, status: completed(rollout) } : rollout);
    }
  }
}

/** Removes what {@link deployRollouts} made for an Application. */
export function removeRollouts(
  application: Application,
  store: ClusterStore,
): void {
  rolloutsOf(application, store).forEach(rollout =>
    store.delete(refOf(rollout)),
  );
}

/** Which Application deployed a Rollout, by its tracking annotation. */
export function applicationNameOf({ metadata }: Rollout): string {
  return metadata.annotations?.[TRACKING]?.split(':')[0] ?? '';
}

/** How Argo CD sees a Rollout. */
export function rolloutHealth({ status }: Rollout): ResourceHealth {
  const { phase, message } = status ?? {};
  return {
    status: phase === 'Paused' ? 'Suspended' : (phase ?? 'Progressing'),
    ...(message && { message }),
  };
}

/** True for a Rollout of a cluster's store. */
export function isRolloutRef({ group, resource }: ObjectRef): boolean {
  return group === ROLLOUTS.group && resource === ROLLOUTS.resource;
}

/** True for the resources that the fleet plays as objects of their own. */
export function isRollout({ group, kind }: DeployedResource): boolean {
  return group === ROLLOUTS.group && kind === 'Rollout';
}

function rolloutsOf(application: Application, store: ClusterStore): Rollout[] {
  return store
    .list(ROLLOUTS.group, ROLLOUTS.resource)
    .filter(
      rollout => applicationNameOf(rollout) === application.metadata.name,
    );
}

function healthInStatus({ status }: Application, rollout: Rollout) {
  return status?.resources?.find(
    ({ kind, name, namespace }) =>
      kind === 'Rollout' &&
      name === rollout.metadata.name &&
      namespace === rollout.metadata.namespace,
  )?.health;
}

function nameOf({ metadata }: Rollout): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function rolloutOf(
  { name, namespace, images, rollout }: DeployedResource,
  application: Application,
  revision: string,
): Rollout {
  const facts = rollout ?? DEFAULT_FACTS;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: {
      name,
      namespace,
      annotations: {
        [TRACKING]: `${application.metadata.name}:argoproj.io/Rollout:${namespace}/${name}`,
      },
    },
    spec: {
      replicas: facts.replicas,
      selector: { matchLabels: { app: name } },
      template: {
        // A new revision has a new template: that is what begins a rollout.
        metadata: {
          labels: { app: name },
          annotations: { 'app.kubernetes.io/version': revision },
        },
        spec: {
          containers: images.map((image, index) => ({
            name: `${name}-${index}`,
            image,
          })),
        },
      },
      strategy: strategyOf(facts, name),
    },
  };
}

function strategyOf({ canary, blueGreen }: RolloutFacts, name: string) {
  return blueGreen
    ? {
        blueGreen: {
          activeService: name,
          previewService: `${name}-preview`,
          ...blueGreen,
        },
      }
    : { canary: canary ?? DEFAULT_FACTS.canary };
}
