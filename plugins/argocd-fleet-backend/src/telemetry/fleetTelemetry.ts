import type {
  MetricsService,
  TracingService,
} from '@backstage/backend-plugin-api/alpha';
import type { StatusStage } from '../controllers/resourceSync';
import { resourceId, type CompletedRequest } from '../kubernetes/client';
import type { ListWatchStart } from '../kubernetes/informer';
import type { ControllerRunner, ControllerTelemetry } from '../runtime';
import type { SourceRound } from '../sources';

/** Metrics and traces of one hub. */
export interface HubTelemetry {
  onAnswer(answer: CompletedRequest): void;
  onReading(reading: ListWatchStart): void;
  onLag?(to: StatusStage, seconds: number): void;
  onRound?(round: SourceRound): void;
  controller(name: string): ControllerTelemetry;
}

/** What is measured of a hub beside its own events. */
interface HubRunners {
  readonly name: string;
  readonly runners: readonly Pick<
    ControllerRunner,
    'controller' | 'queued' | 'status'
  >[];
}

/** Metrics and traces of all hubs; where nothing collects them, they cost next to nothing. */
export interface FleetTelemetry {
  forHub(hub: string): HubTelemetry;
  /** Has what can be looked up at any time be looked up whenever metrics are collected. */
  observeRunners(hubs: readonly HubRunners[]): void;
}

const SECONDS = { unit: 's' };
/** Requests of a few milliseconds up to the longest deadline. */
const REQUEST_BUCKETS = [
  0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 25,
];

/** A watched Application, a polled one, a cluster that was away. */
const LAG_BUCKETS = [0.1, 0.5, 1, 2, 5, 10, 20, 60, 300, 3_600];

/** Creates the instruments. Their names and attributes are documented in docs/metrics.md. */
export function createFleetTelemetry(services: {
  readonly metrics: MetricsService;
  readonly tracing: TracingService;
}): FleetTelemetry {
  const { metrics, tracing } = services;
  const requests = metrics.createHistogram(
    'argocd_fleet.hub.request.duration',
    {
      ...SECONDS,
      description: 'Requests to a hub, without their wait for the rate limit',
      advice: { explicitBucketBoundaries: REQUEST_BUCKETS },
    },
  );
  const readings = metrics.createCounter('argocd_fleet.hub.readings', {
    description:
      'Full lists and watches that were begun, with what made that necessary',
  });
  const work = metrics.createHistogram(
    'argocd_fleet.controller.work.duration',
    {
      ...SECONDS,
      description: 'One look at one key',
      advice: { explicitBucketBoundaries: REQUEST_BUCKETS },
    },
  );
  const writes = metrics.createCounter('argocd_fleet.controller.writes', {
    description: 'Writes that the hub accepted',
  });
  const retries = metrics.createCounter('argocd_fleet.controller.retries', {
    description: 'Keys that are to be tried again, by why',
  });
  const lags = metrics.createHistogram('argocd_fleet.status.lag', {
    ...SECONDS,
    description:
      'From the time that a cluster tells of a change until it was seen, and stored',
    advice: { explicitBucketBoundaries: LAG_BUCKETS },
  });
  const rounds = metrics.createHistogram('argocd_fleet.source.round.duration', {
    ...SECONDS,
    description: 'Rounds of questions to a resource source about a whole hub',
    advice: { explicitBucketBoundaries: REQUEST_BUCKETS },
  });
  const told = metrics.createCounter('argocd_fleet.source.applications', {
    description: 'Applications of which a resource source knew something',
  });
  const failures = metrics.createCounter('argocd_fleet.source.failures', {
    description: 'Rounds in which a resource source did not say all, by why',
  });
  const passes = metrics.createHistogram(
    'argocd_fleet.controller.pass.duration',
    { ...SECONDS, description: 'Full passes over all keys' },
  );

  return {
    forHub: hub => ({
      onAnswer({ verb, resource, result, seconds }) {
        requests.record(seconds, {
          hub,
          verb,
          resource: resourceId(resource),
          result,
        });
      },
      onReading({ resource, kind, cause }) {
        readings.add(1, { hub, resource: resourceId(resource), kind, cause });
      },
      onLag: (to, seconds) => lags.record(seconds, { hub, to }),
      onRound({ source, seconds, applications, failures: reasons }) {
        rounds.record(seconds, { hub, source });
        told.add(applications, { hub, source });
        for (const reason of new Set(reasons)) {
          failures.add(1, { hub, source, reason });
        }
      },
      controller: controller => ({
        span: (key, fn) =>
          tracing.startActiveSpan(
            `${controller} reconcile`,
            { attributes: { hub, controller, key } },
            fn,
          ),
        worked: (result, seconds) =>
          work.record(seconds, { hub, controller, result }),
        wrote: (verb, resource) =>
          writes.add(1, { hub, controller, verb, resource }),
        retrying: reason => retries.add(1, { hub, controller, reason }),
        passed: seconds => passes.record(seconds, { hub, controller }),
      }),
    }),
    observeRunners(hubs) {
      const runners = hubs.flatMap(({ name, runners: all }) =>
        all.map(runner => ({
          runner,
          attributes: { hub: name, controller: runner.controller },
        })),
      );
      metrics
        .createObservableGauge('argocd_fleet.controller.queue.depth', {
          description: 'Keys that could be worked on now and have to wait',
        })
        .addCallback(result => {
          for (const { runner, attributes } of runners) {
            result.observe(runner.queued, attributes);
          }
        });
      metrics
        .createObservableGauge('argocd_fleet.controller.pass.age', {
          ...SECONDS,
          description:
            'Since the last full pass of this replica began; nothing where it made none',
        })
        .addCallback(result => {
          for (const { runner, attributes } of runners) {
            const { lastPassAt } = runner.status();
            if (lastPassAt) {
              const age = (Date.now() - Date.parse(lastPassAt)) / 1000;
              result.observe(age, attributes);
            }
          }
        });
    },
  };
}
