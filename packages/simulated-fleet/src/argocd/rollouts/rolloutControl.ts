import { Rollout, RolloutStatus } from '../../kubernetes/rolloutTypes';
import { SimulatedCluster } from '../../simulatedCluster';
import { ROLLOUTS } from './deployRollouts';
import { PROGRESSING } from './rolloutStatus';

/** Which Rollout is meant; the namespace is needed only where names repeat. */
export interface RolloutName {
  cluster: string;
  rollout: string;
  namespace?: string;
}

/** What `kubectl argo rollouts` does on a managed cluster. Each throws when there is no such Rollout. */
export interface RolloutControl {
  get(name: RolloutName): Rollout;
  /** Ends a pause; with `full` skips all that is left. Throws unless it is paused or `full`. */
  promote(name: RolloutName & { full?: boolean }): void;
  /** Sends everything back to what was stable. */
  abort(name: RolloutName): void;
  /** Begins an aborted update once more. */
  retry(name: RolloutName): void;
}

export function createRolloutControl(
  clusters: ReadonlyMap<string, SimulatedCluster>,
): RolloutControl {
  function find({ cluster, rollout, namespace }: RolloutName) {
    const found = (
      clusters.get(cluster)?.store.list(ROLLOUTS.group, ROLLOUTS.resource) ?? []
    ).find(
      ({ metadata }) =>
        metadata.name === rollout &&
        (namespace === undefined || metadata.namespace === namespace),
    );
    if (!found) {
      throw new Error(
        `The cluster ${cluster} has no Rollout ${namespace ? `${namespace}/` : ''}${rollout}.`,
      );
    }
    return found as Rollout;
  }

  function change(name: RolloutName, next: RolloutStatus) {
    const rollout = find(name);
    clusters
      .get(name.cluster)
      ?.store.put({ ...rollout, status: { ...rollout.status, ...next } });
  }

  return {
    get: find,
    promote(name) {
      const { status } = find(name);
      if (name.full) {
        change(name, { ...PROGRESSING, promoteFull: true });
      } else if (status?.pauseConditions) {
        change(name, { pauseConditions: undefined });
      } else {
        throw new Error(
          `The Rollout ${name.rollout} of ${name.cluster} is not paused but ${status?.phase}: there is nothing to promote.`,
        );
      }
    },
    abort: name =>
      change(name, {
        abort: true,
        phase: 'Progressing',
        message: undefined,
      }),
    retry: name => change(name, { ...PROGRESSING }),
  };
}
