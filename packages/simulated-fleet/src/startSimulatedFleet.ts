import { startWorkAgents } from './agent/workAgent';
import { startApplicationSetController } from './applicationset/applicationSetController';
import { startHubArgoCd } from './argocd/hubArgoCd';
import { SyncTimings } from './argocd/nextStep';
import {
  createRolloutControl,
  RolloutControl,
} from './argocd/rollouts/rolloutControl';
import { startRolloutControllers } from './argocd/rollouts/rolloutController';
import { startSpokeArgoCds } from './argocd/spokeArgoCd';
import { createFleetFaults, FleetFaults } from './cluster/fleetFaults';
import { createHubView } from './hubView';
import { createHubClient } from './kubernetes/client';
import { KubeConfigSource, loadKubeConfig } from './kubernetes/kubeConfig';
import { FleetLogger, silentLogger } from './logger';
import { startPlacementController } from './placement/placementController';
import { checkHub } from './preflight';
import { startRegistration } from './registration/registration';
import { createClock } from './runtime/clock';
import { Scenario } from './scenario/schema';
import { startTimeline } from './scenario/startTimeline';
import { TimelineEntry } from './scenario/timelineSchema';
import { SearchEndpoint, startSearchEndpoint } from './search/searchEndpoint';
import { startSeeding } from './seed';
import { createSimulatedClusters, SimulatedCluster } from './simulatedCluster';

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
  /** The managed clusters and what they hold. */
  readonly clusters: ReadonlyMap<string, SimulatedCluster>;
  /** Troubles of whole clusters, switchable at any time. */
  readonly faults: FleetFaults;
  /** Promotes, aborts and retries the Rollouts on the clusters. */
  readonly rollouts: RolloutControl;
  /** The Search endpoint, where the scenario has one. */
  readonly search: SearchEndpoint | undefined;
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
  // The one thing that can fail comes before all that would have to be stopped.
  const search =
    scenario.search &&
    (await startSearchEndpoint({ fleet: { clusters }, ...scenario.search }));
  if (search) {
    logger.info(`Search answers on ${search.url}.`);
  }
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
  startRolloutControllers({
    ...context,
    rolloutStepMs: scenario.timings.rolloutStepSeconds * 1000,
  });
  startWorkAgents({
    ...context,
    feedbackPollMs: scenario.timings.feedbackPollSeconds * 1000,
    evictionMs: scenario.timings.evictionSeconds * 1000,
    maxFeedbackWatches: scenario.agents.maxFeedbackWatches,
  });

  const seeded = seed ? startSeeding({ ...context, scenario }) : undefined;
  await hub.start();
  const ready = Promise.all([seeded, hub.listed()]).then(() =>
    logger.info(
      `The simulated fleet runs on ${client.server} with ${clusters.size} clusters.`,
    ),
  );
  const faults = createFleetFaults(clusters, logger);
  const rollouts = createRolloutControl(clusters);
  startTimeline({
    ...context,
    search,
    timeline: timelineOf(scenario),
    faults,
    rollouts,
  });
  // Whoever does not wait for it must not be ended by it.
  ready.catch(error => logger.error(`The fleet could not get ready: ${error}`));

  return {
    ready,
    clusters,
    faults,
    rollouts,
    search,
    async stop() {
      abort.abort();
      clock.stop();
      await search?.stop();
      await client.close();
    },
  };
}

/** The timeline of a scenario with its clusters that stop reporting in it. */
function timelineOf({ timeline, clusters }: Scenario): TimelineEntry[] {
  const silent = clusters.flatMap(({ name, stopsReportingAfterSeconds: at }) =>
    at ? [{ at, offline: name }] : [],
  );
  return [...timeline, ...silent];
}

function syncTimings({ timings }: Scenario): SyncTimings {
  return {
    outOfSyncMs: timings.outOfSyncSeconds * 1000,
    syncMs: timings.syncSeconds * 1000,
    progressingMs: timings.progressingSeconds * 1000,
    pruneMs: timings.pruneSeconds * 1000,
    retryMs: timings.retrySeconds * 1000,
  };
}
