import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { rollingSteps, wavesOf } from './rollingSync';

/** Milliseconds after which Argo CD checks whether an Application is gone, before it deletes the next one. */
export const REVERSE_DELETION_MS = 10_000;

/** Whether the Applications of a deleted set are deleted one after the other, those of the last step first. */
export function isDeletedInReverse(set: ApplicationSet): boolean {
  return (
    rollingSteps(set) !== undefined &&
    set.spec?.strategy?.deletionOrder?.toLowerCase() === 'reverse'
  );
}

/**
 * The Application of a deleted set that is to be deleted next, or whose end is waited for. Undefined when there is none:
 * those in no step go with the set.
 */
export function nextInReverse(
  set: ApplicationSet,
  existing: readonly Application[],
): Application | undefined {
  const waves = wavesOf(rollingSteps(set) ?? [], existing);
  const waveOf = ({ metadata }: Application) =>
    waves.findIndex(names => names.includes(metadata.name));
  return existing.reduce<Application | undefined>(
    (last, each) => (waveOf(each) > (last ? waveOf(last) : -1) ? each : last),
    undefined,
  );
}
