import {
  Application,
  ApplicationSet,
  ApplicationSetApplicationStatus,
  ApplicationSetRolloutStep,
} from '../kubernetes/argocdTypes';
import { kubeTime } from '../kubernetes/objects';
import { afterReport, isHealthy } from './rolloutReports';

/** Where the rollout of an ApplicationSet stands after a pass. */
export interface Rollout {
  /** What the status is to say, by the Applications' names. */
  applicationStatus: ApplicationSetApplicationStatus[];
  /** Applications of the waves that may sync. */
  released: ReadonlySet<string>;
  /** The first step that is not done, counted from 1; undefined when all are. */
  progressingStep?: number;
}

/** The steps of a rolling sync, undefined where the set's strategy is another. */
export function rollingSteps({
  spec,
}: ApplicationSet): ApplicationSetRolloutStep[] | undefined {
  const strategy = spec?.strategy;
  return strategy?.type === 'RollingSync' && strategy.rollingSync
    ? (strategy.rollingSync.steps ?? [])
    : undefined;
}

/**
 * Moves every Application of a set on through Waiting, Pending, Progressing
 * and Healthy, by what it reports, its wave and the wave's `maxUpdate`.
 *
 * @param existing - the set's Applications as they are
 * @param generated - as they are to be: their labels decide the wave
 */
export function rolloutOf(
  applicationSet: ApplicationSet,
  existing: readonly Application[],
  generated: readonly Application[],
  now: Date,
): Rollout {
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
  const reported = written(
    previous,
    existing.map(application =>
      afterReport(
        application,
        byName.get(application.metadata.name),
        stepLabel(waveOf.get(application.metadata.name)),
        kubeTime(now),
      ),
    ),
  );
  const released = releasedBy(waves, reported, existing);
  const applicationStatus = written(
    reported,
    withPending(steps, reported, waveOf, released, kubeTime(now)),
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

/** Applications of each step by name; one may be in several, and the first counts. */
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

/** Waves up to the first that is not healthy, by Argo CD's own way of going through them. */
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
    // A wave without Applications neither opens nor closes the way; one that is
    // healthy opens it, whatever came before.
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

/** Lets as many waiting Applications of a released wave be next as its `maxUpdate` has room for. */
function withPending(
  steps: readonly ApplicationSetRolloutStep[],
  statuses: readonly ApplicationSetApplicationStatus[],
  waveOf: ReadonlyMap<string, number>,
  released: ReadonlySet<string>,
  time: string,
): ApplicationSetApplicationStatus[] {
  const total = steps.map(() => 0);
  const updating = steps.map(() => 0);
  // An Application of no wave counts, as in Argo CD, with those of the first.
  const wave = (name: string) => waveOf.get(name) ?? 0;
  for (const { application, status } of statuses) {
    total[wave(application)] += 1;
    if (status === 'Pending' || status === 'Progressing') {
      updating[wave(application)] += 1;
    }
  }
  return statuses.map(entry => {
    const index = wave(entry.application);
    const room =
      updating[index] < maxUpdateOf(steps[index].maxUpdate, total[index]);
    if (
      entry.status !== 'Waiting' ||
      !released.has(entry.application) ||
      !room
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

/** How many of a wave may update at once; a percentage of more than 0% is one at least. */
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

/** Argo CD writes statuses when a status, a step or a message changed, not for revisions alone. */
function written(
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
