import { RolloutControl } from './argocd/rollouts/rolloutControl';
import { FleetFaults } from './cluster/fleetFaults';
import { FleetLogger } from './runtime/logger';
import { Clock } from './runtime/clock';
import { SearchEndpoint } from './search/searchEndpoint';
import { TimelineEntry } from './scenario/timelineSchema';

/** Schedules the entries of a scenario's timeline; errors of an entry are logged. */
export function startTimeline(options: {
  timeline: readonly TimelineEntry[];
  clock: Clock;
  faults: FleetFaults;
  rollouts: RolloutControl;
  search: SearchEndpoint | undefined;
  logger: FleetLogger;
}): void {
  const { timeline, clock, logger } = options;
  for (const entry of timeline) {
    clock.after(entry.at * 1000, () => {
      try {
        runEntry(entry, options);
      } catch (error) {
        logger.error(`The timeline entry at ${entry.at} s failed: ${error}`);
      }
    });
  }
}

function runEntry(
  entry: TimelineEntry,
  {
    faults,
    rollouts,
    search,
  }: Pick<
    Parameters<typeof startTimeline>[0],
    'faults' | 'rollouts' | 'search'
  >,
) {
  const { clockSkew, promote } = entry;
  for (const name of [
    'offline',
    'online',
    'apiServerDown',
    'apiServerUp',
  ] as const) {
    const clusters = entry[name];
    if (clusters !== undefined) {
      faults[name](clusters);
    }
  }
  if (clockSkew) {
    faults.clockSkew(clockSkew.cluster, clockSkew.seconds);
  }
  if (promote) {
    rollouts.promote(promote);
  }
  if (entry.search) {
    const { refuse, ...rest } = entry.search;
    search?.setFaults({
      ...rest,
      ...(refuse && { refuse: refuse === 200 ? undefined : refuse }),
    });
  }
  if (entry.abort) {
    rollouts.abort(entry.abort);
  }
  if (entry.retry) {
    rollouts.retry(entry.retry);
  }
}
