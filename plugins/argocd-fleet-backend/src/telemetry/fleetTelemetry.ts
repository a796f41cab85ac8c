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
  onRequestCompleted(answer: CompletedRequest): void;
  onListWatchStart(start: ListWatchStart): void;
  onLag?(to: StatusStage, seconds: number): void;
  onRound?(round: SourceRound): void;
  controller(name: string): ControllerTelemetry;
}

/** The runners of a hub, whose state is measured. */
interface HubRunners {
  readonly name: string;
  readonly runners: readonly Pick<
    ControllerRunner,
    'controller' | 'queued' | 'status'
  >[];
}

/** Metrics and traces of all hubs. Without a collector they cost almost nothing. */
export interface FleetTelemetry {
  forHub(hub: string): HubTelemetry;
  /** Registers gauges that read the state of the runners at each collection. */
  observeRunners(hubs: readonly HubRunners[]): void;
}

const SECONDS = { unit: 's' };
/** Seconds: from requests of a few milliseconds up to the longest deadline. */
const REQUEST_BUCKETS = [
  0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 25,
];

/** Seconds: for watched Applications, polled ones, and clusters that were disconnected. */
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
      description:
        'Duration of one request to a hub, without its wait for the rate limiter',
      advice: { explicitBucketBoundaries: REQUEST_BUCKETS },
    },
  );
  const listWatchStarts = metrics.createCounter(
    'argocd_fleet.hub.list_watch.starts',
    {
      description:
        'Number of full lists and watches that were started, by cause',
    },
  );
  const work = metrics.createHistogram(
    'argocd_fleet.controller.work.duration',
    {
      ...SECONDS,
      description: 'Duration of one reconcile',
      advice: { explicitBucketBoundaries: REQUEST_BUCKETS },
    },
  );
  const writes = metrics.createCounter('argocd_fleet.controller.writes', {
    description: 'Number of writes that the hub accepted',
  });
  const retries = metrics.createCounter('argocd_fleet.controller.retries', {
    description: 'Number of keys that were requeued after a failure, by reason',
  });
  const lags = metrics.createHistogram('argocd_fleet.status.lag', {
    ...SECONDS,
    description:
      'Time from a change on the cluster, by its clock, until it is seen on the hub or stored in the database',
    advice: { explicitBucketBoundaries: LAG_BUCKETS },
  });
  const rounds = metrics.createHistogram('argocd_fleet.source.round.duration', {
    ...SECONDS,
    description:
      'Duration of one round: a query to a resource source about all Applications of a hub',
    advice: { explicitBucketBoundaries: REQUEST_BUCKETS },
  });
  const answered = metrics.createCounter('argocd_fleet.source.applications', {
    description:
      'Number of Applications for which a resource source returned details',
  });
  const failures = metrics.createCounter('argocd_fleet.source.failures', {
    description:
      'Number of rounds in which the answer of a resource source was incomplete, by reason',
  });
  const passes = metrics.createHistogram(
    'argocd_fleet.controller.pass.duration',
    { ...SECONDS, description: 'Duration of one full pass over all keys' },
  );

  return {
    forHub: hub => ({
      onRequestCompleted({ verb, resource, result, seconds }) {
        requests.record(seconds, {
          hub,
          verb,
          resource: resourceId(resource),
          result,
        });
      },
      onListWatchStart({ resource, kind, cause }) {
        listWatchStarts.add(1, {
          hub,
          resource: resourceId(resource),
          kind,
          cause,
        });
      },
      onLag: (to, seconds) => lags.record(seconds, { hub, to }),
      onRound({ source, seconds, applications, failures: reasons }) {
        rounds.record(seconds, { hub, source });
        answered.add(applications, { hub, source });
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
          description: 'Number of keys that wait for a free worker',
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
            'Time since the last full pass of this replica began; no value if it made none',
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
