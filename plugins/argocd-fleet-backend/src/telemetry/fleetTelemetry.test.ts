import type {
  MetricAttributes,
  MetricsService,
  MetricsServiceObservableCallback,
} from '@backstage/backend-plugin-api/alpha';
import {
  metricsServiceMock,
  tracingServiceMock,
} from '@backstage/backend-test-utils/alpha';
import { metricsServiceRef } from '@backstage/backend-plugin-api/alpha';
import { createServiceFactory } from '@backstage/backend-plugin-api';
import { oneHub, startFleetBackend } from '../__testUtils__/fleetBackend';
import { startTestHub } from '../__testUtils__/hubFixture';
import {
  managedCluster,
  NAMESPACE,
  pullApplication,
} from '../__testUtils__/objects';
import { waitFor } from '../__testUtils__/waitFor';
import { FLEET_RESOURCES } from '../fleet/resources';
import { createFleetTelemetry } from './fleetTelemetry';

/** Collects what is recorded, by the instrument's name. */
function recorder() {
  const recorded = new Map<string, [number, MetricAttributes | undefined][]>();
  const observed = new Map<string, MetricsServiceObservableCallback>();
  const take =
    (name: string) => (value: number, attributes?: MetricAttributes) =>
      void recorded.set(name, [
        ...(recorded.get(name) ?? []),
        [value, attributes],
      ]);
  const metrics = metricsServiceMock.mock({
    createCounter: (name: string) => ({ add: take(name) }),
    createHistogram: (name: string) => ({ record: take(name) }),
    createObservableGauge: (name: string) => ({
      addCallback: (callback: MetricsServiceObservableCallback) =>
        void observed.set(name, callback),
      removeCallback() {},
    }),
  } as Partial<MetricsService>);
  return {
    metrics,
    recorded: (name: string) => recorded.get(name) ?? [],
    observe(name: string) {
      const values: [number, MetricAttributes | undefined][] = [];
      observed.get(name)?.({
        observe: (value, attributes) => void values.push([value, attributes]),
      });
      return values;
    },
  };
}

describe('metrics and traces', () => {
  it('names hub, verb, resource and result of each request', () => {
    const { metrics, recorded } = recorder();
    const telemetry = createFleetTelemetry({
      metrics,
      tracing: tracingServiceMock.mock(),
    }).forHub('prod');
    telemetry.onRequestCompleted({
      verb: 'patch',
      resource: FLEET_RESOURCES.works,
      result: 'conflict',
      seconds: 0.02,
    });
    expect(recorded('argocd_fleet.hub.request.duration')).toEqual([
      [
        0.02,
        {
          hub: 'prod',
          verb: 'patch',
          resource: 'manifestworks.work.open-cluster-management.io',
          result: 'conflict',
        },
      ],
    ]);
  });

  it('measures the rounds of resource sources', () => {
    const { metrics, recorded } = recorder();
    const telemetry = createFleetTelemetry({
      metrics,
      tracing: tracingServiceMock.mock(),
    }).forHub('prod');
    const source = { hub: 'prod', source: 'search' };
    telemetry.onRound?.({
      source: 'search',
      seconds: 1.5,
      applications: 700,
      failures: ['AFC-431', 'AFC-433', 'AFC-433'],
    });
    expect(recorded('argocd_fleet.source.round.duration')).toEqual([
      [1.5, source],
    ]);
    expect(recorded('argocd_fleet.source.applications')).toEqual([
      [700, source],
    ]);
    expect(recorded('argocd_fleet.source.failures')).toEqual([
      [1, { ...source, reason: 'AFC-431' }],
      [1, { ...source, reason: 'AFC-433' }],
    ]);
  });

  it('measures a running backend, with names of objects only in traces', async () => {
    const { metrics, recorded, observe } = recorder();
    const testHub = await startTestHub();
    await testHub.provideNamespaces(NAMESPACE, 'one');
    await testHub.admin.create('clusters', managedCluster('one'));
    await testHub.admin.create(
      'applications',
      pullApplication('guestbook', 'one'),
    );
    const backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        propagation: { requireDecision: false },
      }),
      features: [
        createServiceFactory({
          service: metricsServiceRef,
          deps: {},
          factory: () => metrics,
        }),
      ],
    });
    const propagation = { hub: 'hub', controller: 'propagation' };
    await waitFor(
      () =>
        recorded('argocd_fleet.controller.writes').length > 0 &&
        recorded('argocd_fleet.controller.pass.duration').length > 0,
    );
    expect(recorded('argocd_fleet.controller.writes')).toContainEqual([
      1,
      { ...propagation, verb: 'create', resource: 'manifestworks' },
    ]);
    expect(recorded('argocd_fleet.controller.work.duration')).toContainEqual([
      expect.any(Number),
      { ...propagation, result: 'written' },
    ]);
    expect(recorded('argocd_fleet.hub.list_watch.starts')).toContainEqual([
      1,
      {
        hub: 'hub',
        resource: 'applications.argoproj.io',
        kind: 'list',
        cause: 'start',
      },
    ]);
    expect(observe('argocd_fleet.controller.queue.depth')).toContainEqual([
      expect.any(Number),
      propagation,
    ]);
    await waitFor(() =>
      observe('argocd_fleet.controller.pass.age').some(
        ([, attributes]) => attributes?.controller === 'propagation',
      ),
    );
    await backend.stop();
    await testHub.stop();
  });
});
