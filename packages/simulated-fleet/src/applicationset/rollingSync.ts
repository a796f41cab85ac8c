import {
  Application,
  ApplicationSet,
  ApplicationSetApplicationStatus,
  ApplicationSetRolloutStep,
} from '../kubernetes/argocdTypes';
import { kubeTime } from '../kubernetes/objects';
import { applicationStatusAfterReport, isHealthy } from './rolloutReports';

/** The progress of an ApplicationSet's rollout after a reconcile. */
export interface RollingSyncProgress {
  /** `status.applicationStatus`, sorted by Application name. */
  applicationStatus: ApplicationSetApplicationStatus[];
  /** The names of the Applications in waves that may sync. */
  released: ReadonlySet<string>;
  /** The first incomplete step, counted from 1; undefined if all are complete. */
  progressingStep?: number;
}

/** The steps of a rolling sync; undefined if the set has another strategy. */
export function rollingSteps({
  spec,
}: ApplicationSet): ApplicationSetRolloutStep[] | undefined {
  const strategy = spec?.strategy;
  return strategy?.type === 'RollingSync' && strategy.rollingSync
    ? (strategy.rollingSync.steps ?? [])
    : undefined;
}

/**
 * Moves every Application of a set through Waiting, Pending, Progressing and
 * Healthy, according to its status, its wave and the wave's `maxUpdate`.
 *
 * @param existing - the set's live Applications
 * @param generated - the generated Applications; their labels determine the wave
 */
export function rolloutOf(
  applicationSet: ApplicationSet,
  existing: readonly Application[],
  generated: readonly Application[],
  now: Date,
): RollingSyncProgress {
  const steps = rollingSteps(applicationSet) ?? [];
  if (steps.length === 0) {
    return { applicationStatus: [], released: new Set() };
  }
  const waves = wavesOf(steps, generated);
  const waveOf = new Map<string, number>();
  waves.forEach((names, wave) =>
    names.forEach(name => waveOf.set(name, waveOf.get(name) ?? wave)),
  );
  const previous = applicationSet.status?.applicationStatus ?? [];
  const byName = new Map(previous.map(entry => [entry.application, entry]));
  const reported = keepUnlessChanged(
    previous,
    existing.map(application =>
      applicationStatusAfterReport(
        application,
        byName.get(application.metadata.name),
        stepLabel(waveOf.get(application.metadata.name)),
        kubeTime(now),
      ),
    ),
  );
  const released = releasedBy(waves, reported, existing);
  const applicationStatus = keepUnlessChanged(
    reported,
    moveToPending(steps, reported, waveOf, released, kubeTime(now)),
  );
  const unfinished = steps.findIndex((_, wave) =>
    applicationStatus.some(
      ({ step, status }) => step === stepLabel(wave) && status !== 'Healthy',
    ),
  );
  return {
    applicationStatus,
    released,
    progressingStep: unfinished < 0 ? undefined : unfinished + 1,
  };
}

/** The names of the Applications of each step. An Application may be in several; the first one counts. */
export function wavesOf(
  steps: readonly ApplicationSetRolloutStep[],
  applications: readonly Application[],
): string[][] {
  return steps.map(({ matchExpressions = [] }) =>
    applications
      .filter(({ metadata }) =>
        matchExpressions.every(({ key, operator, values = [] }) => {
          const value = metadata.labels?.[key];
          if (value === undefined) {
            return operator !== 'In';
          }
          return operator === 'In'
            ? values.includes(value)
            : operator === 'NotIn' && !values.includes(value);
        }),
      )
      .map(({ metadata }) => metadata.name),
  );
}

/** The Applications of all waves up to the first unhealthy one, by Argo CD's algorithm. */
function releasedBy(
  waves: readonly string[][],
  statuses: readonly ApplicationSetApplicationStatus[],
  existing: readonly Application[],
): Set<string> {
  const statusOf = new Map(statuses.map(each => [each.application, each]));
  const live = new Map(existing.map(each => [each.metadata.name, each]));
  const released = new Set<string>();
  let open = true;
  for (const names of waves) {
    for (const name of names) {
      if (open) {
        released.add(name);
      } else {
        released.delete(name);
      }
    }
    // An empty wave changes nothing. A healthy wave releases the next one, even
    // after an unhealthy wave.
    if (names.length > 0) {
      open = names.every(name => {
        const application = live.get(name);
        return (
          application !== undefined &&
          isHealthy(application) &&
          statusOf.get(name)?.status === 'Healthy'
        );
      });
    }
  }
  return released;
}

/** Moves Waiting Applications of released waves to Pending, up to the wave's `maxUpdate`. */
function moveToPending(
  steps: readonly ApplicationSetRolloutStep[],
  statuses: readonly ApplicationSetApplicationStatus[],
  waveOf: ReadonlyMap<string, number>,
  released: ReadonlySet<string>,
  time: string,
): ApplicationSetApplicationStatus[] {
  const total = steps.map(() => 0);
  const updating = steps.map(() => 0);
  // As in Argo CD, an Application without a wave counts for the first one.
  const wave = (name: string) => waveOf.get(name) ?? 0;
  for (const { application, status } of statuses) {
    total[wave(application)] += 1;
    if (status === 'Pending' || status === 'Progressing') {
      updating[wave(application)] += 1;
    }
  }
  return statuses.map(entry => {
    const index = wave(entry.application);
    const hasRoom =
      updating[index] < maxUpdateOf(steps[index].maxUpdate, total[index]);
    if (
      entry.status !== 'Waiting' ||
      !released.has(entry.application) ||
      !hasRoom
    ) {
      return entry;
    }
    updating[index] += 1;
    return {
      ...entry,
      lastTransitionTime: time,
      status: 'Pending',
      message:
        'Application moved to Pending status, watching for the Application resource to start Progressing.',
      step: stepLabel(waveOf.get(entry.application)),
    };
  });
}

/** The number of Applications of a wave that may update at once; a percentage above 0% is at least one. */
export function maxUpdateOf(
  maxUpdate: number | string | undefined,
  total: number,
): number {
  if (maxUpdate === undefined) {
    return Infinity;
  }
  if (typeof maxUpdate === 'number') {
    return maxUpdate;
  }
  const percent = /^(\d+)%$/.exec(maxUpdate)?.[1];
  const scaled = percent ? Math.floor((Number(percent) * total) / 100) : 0;
  return maxUpdate !== '0%' && scaled < 1 ? 1 : scaled;
}

/** As in Argo CD, returns the new statuses only if a status, step or message changed; else the old ones. */
function keepUnlessChanged(
  before: readonly ApplicationSetApplicationStatus[],
  after: readonly ApplicationSetApplicationStatus[],
): ApplicationSetApplicationStatus[] {
  const known = new Map(before.map(entry => [entry.application, entry]));
  const changed =
    before.length !== after.length ||
    after.some(({ application, status, step, message }) => {
      const old = known.get(application);
      return (
        old?.status !== status || old.step !== step || old.message !== message
      );
    });
  return changed
    ? [...after].sort((a, b) => (a.application < b.application ? -1 : 1))
    : [...before];
}

function stepLabel(wave: number | undefined): string {
  return wave === undefined ? '-1' : String(wave + 1);
}
