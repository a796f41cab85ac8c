import { ClusterStore, refOf } from '../../cluster/clusterStore';
import { Application } from '../../kubernetes/argocdTypes';
import { Rollout } from '../../kubernetes/rolloutTypes';
import { RolloutSpec } from '../../scenario/rolloutSchema';
import {
  DeployedResource,
  DeploymentEnvironment,
} from '../../cluster/environment';
import { isRollout, ROLLOUTS } from '../../cluster/rollouts';
import { updateCompleted } from './rolloutStatus';

const TRACKING = 'argocd.argoproj.io/tracking-id';

/** The default for a Rollout without replicas and strategy in the scenario. */
const DEFAULT_ROLLOUT: RolloutSpec = {
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
 * Creates or updates the Rollouts of an Application on its cluster at the
 * revision of its last sync, and deletes Rollouts that it no longer deploys.
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
  const desired = environment
    .resources(application)
    .filter(isRollout)
    .map(resource => rolloutOf(resource, application, revision));
  const names = new Set(desired.map(nameOf));
  rolloutsOf(application, store)
    .filter(rollout => !names.has(nameOf(rollout)))
    .forEach(rollout => store.delete(refOf(rollout)));
  for (const rollout of desired) {
    const existing = store.get(refOf(rollout)) as Rollout | undefined;
    if (existing) {
      store.put({ ...existing, spec: rollout.spec });
    } else {
      // The Application reports the Rollout as healthy: it existed before a restart of the fleet.
      const settled =
        healthInStatus(application, rollout)?.status === 'Healthy';
      store.put(
        settled ? { ...rollout, status: updateCompleted(rollout) } : rollout,
      );
    }
  }
}

/** Deletes the Rollouts that {@link deployRollouts} created for an Application. */
export function removeRollouts(
  application: Application,
  store: ClusterStore,
): void {
  rolloutsOf(application, store).forEach(rollout =>
    store.delete(refOf(rollout)),
  );
}

/** The name of the Application that deployed a Rollout, from its tracking annotation. */
export function applicationNameOf({ metadata }: Rollout): string {
  return metadata.annotations?.[TRACKING]?.split(':')[0] ?? '';
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
  const rolloutSpec = rollout ?? DEFAULT_ROLLOUT;
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
      replicas: rolloutSpec.replicas,
      selector: { matchLabels: { app: name } },
      template: {
        // A new revision changes the pod template, which starts a rollout.
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
      strategy: strategyOf(rolloutSpec, name),
    },
  };
}

function strategyOf({ canary, blueGreen }: RolloutSpec, name: string) {
  return blueGreen
    ? {
        blueGreen: {
          activeService: name,
          previewService: `${name}-preview`,
          ...blueGreen,
        },
      }
    : { canary: canary ?? DEFAULT_ROLLOUT.canary };
}
