import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pollUntil } from 'apimachinery';
import { startEmbeddedHub } from 'embedded-hub';

import { createHubClient } from '../kubernetes/client';
import { loadKubeConfig } from '../kubernetes/kubeConfig';
import {
  leases,
  managedClusters,
  manifestWorks,
  placementDecisions,
} from '../kubernetes/resources';
import { silentLogger } from '../runtime/logger';
import { applicationWork, feedbackOf } from '../__testUtils__/applicationWork';
import {
  FleetOnHub,
  startHubForFleets,
  untilFound,
} from '../__testUtils__/fleetOnHub';
import { startSimulatedFleet } from '../startSimulatedFleet';
import { parseScenario } from '../scenario/loadScenario';

const SCENARIO = `
clusters:
  # No lease is due while a test counts writes.
  - { name: c1, clusterSet: all, leaseDurationSeconds: 3600 }
objects:
  - apiVersion: cluster.open-cluster-management.io/v1beta2
    kind: ManagedClusterSet
    metadata: { name: all }
    spec: { clusterSelector: { selectorType: ExclusiveClusterSetLabel } }
  - apiVersion: cluster.open-cluster-management.io/v1beta2
    kind: ManagedClusterSetBinding
    metadata: { name: all, namespace: openshift-gitops }
    spec: { clusterSet: all }
  - apiVersion: cluster.open-cluster-management.io/v1beta1
    kind: Placement
    metadata: { name: everywhere, namespace: openshift-gitops }
    spec: {}
`;

describe('a hub that restarts empty', () => {
  it('is seeded again, and works that are created again find their deployed resources', async () => {
    const first = await startEmbeddedHub();
    const fleet = await startSimulatedFleet({
      kubeconfig: first.kubeconfig(),
      scenario: parseScenario(SCENARIO, 'the test'),
      speed: 20,
    });
    await fleet.ready;
    const before = createHubClient(loadKubeConfig(first.kubeconfig()));
    const work = applicationWork('c1', 'app');
    await before.create(manifestWorks, work);
    const firstReport = await untilFound(before, manifestWorks, ([item]) =>
      feedbackOf(item, 'healthStatus') === 'Healthy' ? item : undefined,
    );
    await before.close();
    await first.stop();

    const second = await startEmbeddedHub({
      port: Number(new URL(first.url).port),
    });
    const client = createHubClient(loadKubeConfig(second.kubeconfig()));
    await untilFound(client, managedClusters, items =>
      items.some(({ status }) =>
        status?.conditions?.some(
          ({ type, status: is }) =>
            type === 'ManagedClusterConditionAvailable' && is === 'True',
        ),
      ),
    );
    await untilFound(client, leases, items =>
      items.some(({ metadata }) => metadata.namespace === 'c1'),
    );
    await untilFound(client, placementDecisions, items =>
      items.some(({ status }) => status?.decisions?.length === 1),
    );
    await client.create(manifestWorks, work);
    const report = await untilFound(client, manifestWorks, ([item]) =>
      feedbackOf(item, 'healthStatus') ? item : undefined,
    );
    expect(feedbackOf(report, 'healthStatus')).toBe('Healthy');
    expect(feedbackOf(report, 'operationStateStartedAt')).toBe(
      feedbackOf(firstReport, 'operationStateStartedAt'),
    );
    await fleet.stop();
    await client.close();
    await second.stop();
  });
});

describe('a hub that restarts from its snapshot', () => {
  it('gets no writes except for new works', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-reset-'));
    const snapshot = join(folder, 'hub.ndjson');
    const first = await startEmbeddedHub();
    const fleet = await startSimulatedFleet({
      kubeconfig: first.kubeconfig(),
      scenario: parseScenario(SCENARIO, 'the test'),
      speed: 20,
    });
    await fleet.ready;
    const before = createHubClient(loadKubeConfig(first.kubeconfig()));
    await before.create(manifestWorks, applicationWork('c1', 'before'));
    await untilFound(before, placementDecisions, items =>
      items.some(({ status }) => status?.decisions?.length === 1),
    );
    await untilFound(before, managedClusters, items =>
      items.some(({ status }) => status?.conditions?.length === 4),
    );
    await untilFound(
      before,
      manifestWorks,
      ([item]) => feedbackOf(item, 'syncStatus') === 'Synced',
    );
    await before.close();
    await first.saveSnapshot(snapshot);
    await first.stop();

    const second = await startEmbeddedHub({
      port: Number(new URL(first.url).port),
      snapshot,
    });
    const client = createHubClient(loadKubeConfig(second.kubeconfig()));
    await client.create(manifestWorks, applicationWork('c1', 'after'));
    const works = await untilFound(client, manifestWorks, items =>
      items.every(item => feedbackOf(item, 'syncStatus') === 'Synced')
        ? items
        : undefined,
    );
    expect(works.map(({ metadata }) => metadata.name)).toEqual([
      'after',
      'before',
    ]);
    expect(
      second.requests.filter(
        ({ method, name, resource }) =>
          method !== 'GET' && resource !== 'manifestworks' && name !== 'after',
      ),
    ).toEqual([]);
    await fleet.stop();
    await client.close();
    await second.stop();
    rmSync(folder, { recursive: true });
  });
});

describe('a hub whose connections break', () => {
  let on: FleetOnHub;
  let door: Server;
  const sockets = new Set<Socket>();
  beforeEach(async () => {
    on = await startHubForFleets();
    const { port } = new URL(on.hub.url);
    door = createServer(socket => {
      const beyond = connect(Number(port), '127.0.0.1');
      for (const end of [socket, beyond]) {
        sockets.add(end);
        end.on('error', () => end.destroy());
        end.on('close', () => sockets.delete(end));
      }
      socket.pipe(beyond).pipe(socket);
    });
    await new Promise<void>(resolve => {
      door.listen(0, '127.0.0.1', resolve);
    });
  });
  afterEach(async () => {
    sockets.forEach(socket => socket.destroy());
    door.close();
    await on.stop();
  });

  it('gets no writes except for new works', async () => {
    const address = door.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const listed = new Set<string>();
    await on.start(SCENARIO, {
      kubeconfig: on.hub
        .kubeconfig()
        .replaceAll(on.hub.url, `http://127.0.0.1:${port}`),
      logger: {
        ...silentLogger,
        warn: message => listed.add(message.split(' failed')[0]),
      },
    });
    await on.until(placementDecisions, items =>
      items.some(({ status }) => status?.decisions?.length === 1),
    );
    await on.until(managedClusters, items =>
      items.some(({ status }) => status?.conditions?.length === 4),
    );
    await on.client.create(manifestWorks, applicationWork('c1', 'before'));
    await on.until(
      manifestWorks,
      ([item]) => feedbackOf(item, 'syncStatus') === 'Synced',
    );
    sockets.forEach(socket => socket.destroy());
    on.hub.clearRequests();
    await pollUntil(
      () => listed.size,
      count => count > 5,
    );
    await on.client.create(manifestWorks, applicationWork('c1', 'after'));
    await on.until(manifestWorks, items =>
      items.some(
        item =>
          item.metadata.name === 'after' &&
          feedbackOf(item, 'syncStatus') === 'Synced',
      ),
    );
    expect(
      on.hub.requests.filter(
        ({ method, name, resource }) =>
          method !== 'GET' && resource !== 'manifestworks' && name !== 'after',
      ),
    ).toEqual([]);
  });
});
