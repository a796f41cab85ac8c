import { startWorkAgents } from './agent/workAgent';
import { startApplicationSetController } from './applicationset/applicationSetController';
import { startHubArgoCd } from './argocd/hubArgoCd';
import { SyncTimings } from './argocd/nextStep';
import { startSpokeArgoCds } from './argocd/spokeArgoCd';
import { createHubView } from './hubView';
import { createHubClient } from './kubernetes/client';
import { KubeConfigSource, loadKubeConfig } from './kubernetes/kubeConfig';
import { FleetLogger, silentLogger } from './logger';
import { startPlacementController } from './placement/placementController';
import { checkHub } from './preflight';
import { startRegistration } from './registration';
import { createClock } from './runtime/clock';
import { Scenario } from './scenario/schema';
import { seedHub } from './seed';
import { createSimulatedClusters } from './simulatedCluster';

/** What a fleet is started with. */
export interface SimulatedFleetOptions {
  /** The hub, as the text of a kubeconfig or as the path of one. */
  readonly kubeconfig: KubeConfigSource;
  readonly scenario: Scenario;
  /** How many times as fast as in reality everything on the clusters goes; 1 by default. */
  readonly speed?: number;
  /** Says nothing by default. */
  readonly logger?: FleetLogger;
  /** Whether the scenario's objects are created where they are absent; true by default. */
  readonly seed?: boolean;
}

/** A fleet that runs. */
export interface SimulatedFleet {
  /** Resolves when the scenario's objects are on the hub and everything is being watched. */
  readonly ready: Promise<void>;
  /** Stops everything; what is on the hub stays there. */
  stop(): Promise<void>;
}

/**
 * Starts everything around the product: placement, ApplicationSet generation,
 * registration, work agents, and the Argo CDs of hub and clusters.
 *
 * @throws Error when the hub cannot be reached or lacks a CustomResourceDefinition.
 */
export async function startSimulatedFleet(
  options: SimulatedFleetOptions,
): Promise<SimulatedFleet> {
  const {
    kubeconfig,
    scenario,
    speed = 1,
    logger = silentLogger,
    seed = true,
  } = options;
  if (!(speed > 0)) {
    throw new Error(
      `The speed of the fleet must be over 0, and ${speed} is not.`,
    );
  }
  const abort = new AbortController();
  const { signal } = abort;
  const client = createHubClient(loadKubeConfig(kubeconfig));
  await checkHub(client, logger, signal);

  const clock = createClock(speed);
  const hub = createHubView({
    client,
    argocdNamespace: scenario.argocd.namespace,
    logger,
    signal,
  });
  const clusters = createSimulatedClusters(scenario);
  const timings = syncTimings(scenario);
  const context = { client, hub, clock, logger, signal, clusters, timings };

  startRegistration({ ...context, scenario });
  startPlacementController(context);
  startApplicationSetController({
    ...context,
    namespaces: [
      scenario.argocd.namespace,
      ...scenario.argocd.applicationSetNamespaces,
    ],
  });
  startHubArgoCd({
    ...context,
    hubCluster: scenario.clusters.find(
      ({ labels }) => labels['local-cluster'] === 'true',
    )?.name,
  });
  startSpokeArgoCds(context);
  startWorkAgents({
    ...context,
    feedbackPollMs: scenario.timings.feedbackPollSeconds * 1000,
  });

  hub.start();
  const ready = Promise.all([
    seed ? seedHub(client, scenario) : undefined,
    hub.listed(),
  ]).then(() =>
    logger.info(
      `The simulated fleet runs on ${client.server} with ${clusters.size} clusters.`,
    ),
  );
  // Whoever does not wait for it must not be ended by it.
  ready.catch(error => logger.error(`The fleet could not get ready: ${error}`));

  return {
    ready,
    async stop() {
      abort.abort();
      clock.stop();
      await client.close();
    },
  };
}

function syncTimings({ timings }: Scenario): SyncTimings {
  return {
    outOfSyncMs: timings.outOfSyncSeconds * 1000,
    syncMs: timings.syncSeconds * 1000,
    progressingMs: timings.progressingSeconds * 1000,
    pruneMs: timings.pruneSeconds * 1000,
  };
}
