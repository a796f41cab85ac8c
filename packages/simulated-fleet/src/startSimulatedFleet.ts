import { GitServer } from 'git-server';

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
import { createGitSources } from './cluster/gitSources';
import { createHubInformers } from './hub/hubInformers';
import { createHubClient } from './kubernetes/client';
import { KubeConfigSource, loadKubeConfig } from './kubernetes/kubeConfig';
import { FleetLogger, silentLogger } from './runtime/logger';
import { startPlacementController } from './placement/placementController';
import { checkHub } from './preflight';
import { startRegistration } from './registration/registration';
import { createClock } from './runtime/clock';
import { Scenario } from './scenario/schema';
import { startTimeline } from './startTimeline';
import { TimelineEntry } from './scenario/timelineSchema';
import { SearchEndpoint, startSearchEndpoint } from './search/searchEndpoint';
import { startSeeding } from './seed';
import {
  createSimulatedClusters,
  SimulatedCluster,
} from './cluster/simulatedCluster';

/** Options of {@link startSimulatedFleet}. */
export interface SimulatedFleetOptions {
  /** The hub's kubeconfig, as text or as a path. */
  readonly kubeconfig: KubeConfigSource;
  readonly scenario: Scenario;
  /** Factor by which simulated time passes faster than real time; 1 by default. */
  readonly speed?: number;
  /** Drops all messages by default. */
  readonly logger?: FleetLogger;
  /** Whether the scenario's objects are created where they are absent; true by default. */
  readonly seed?: boolean;
  /** A Git server, from whose repositories the Argo CDs deploy; those of other servers are made up by the scenario. */
  readonly gitServer?: GitServer;
}

/** A running fleet. */
export interface SimulatedFleet {
  /** Resolves when the scenario's objects are on the hub and every informer has synced. */
  readonly ready: Promise<void>;
  /** The managed clusters and their objects, by cluster name. */
  readonly clusters: ReadonlyMap<string, SimulatedCluster>;
  /** Switches the faults of whole clusters. */
  readonly faults: FleetFaults;
  /** Promotes, aborts and retries the Rollouts on the clusters. */
  readonly rollouts: RolloutControl;
  /** The Search endpoint, if the scenario has one. */
  readonly search: SearchEndpoint | undefined;
  /** Stops the fleet; the objects on the hub stay. */
  stop(): Promise<void>;
}

/**
 * Starts the controllers around Argo CD Fleet: placement, ApplicationSet
 * generation, registration, work agents, and the Argo CDs of hub and clusters.
 *
 * @throws Error if the speed is not greater than 0, if the kubeconfig cannot be used, if the hub
 * cannot be reached or lacks a CustomResourceDefinition, or if the Search endpoint cannot listen.
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
    gitServer,
  } = options;
  if (!(speed > 0)) {
    throw new Error(
      `The speed of the fleet must be greater than 0; it is ${speed}.`,
    );
  }
  const abort = new AbortController();
  const { signal } = abort;
  const client = createHubClient(loadKubeConfig(kubeconfig));
  await checkHub(client, logger, signal);

  const clock = createClock(speed);
  const hub = createHubInformers({
    client,
    argocdNamespace: scenario.argocd.namespace,
    logger,
    signal,
  });
  const git = gitServer && createGitSources(gitServer);
  const clusters = createSimulatedClusters(scenario, git);
  const timings = syncTimings(scenario);
  // Only the Search endpoint can fail to start: it comes first, so that no controller has to be stopped.
  const search =
    scenario.search &&
    (await startSearchEndpoint({ fleet: { clusters }, ...scenario.search }));
  if (search) {
    logger.info(`The Search endpoint listens on ${search.url}.`);
  }
  const environment = { clusters, timings, git };
  const context = { client, hub, clock, logger, signal, ...environment };

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
    reapplyMs: scenario.timings.reapplySeconds * 1000,
    maxFeedbackWatches: scenario.agents.maxFeedbackWatches,
  });

  const seeded = seed ? startSeeding({ ...context, scenario }) : undefined;
  await hub.start();
  const ready = Promise.all([seeded, hub.waitForSync()]).then(() =>
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
  // Without a handler, an unawaited rejection of `ready` would end the process.
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

/** The timeline of a scenario, plus one `offline` entry for each cluster that stops reporting. */
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
