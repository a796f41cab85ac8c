import { Rollout, RolloutStatus } from '../../kubernetes/rolloutTypes';
import { SimulatedCluster } from '../../cluster/simulatedCluster';
import { ROLLOUTS } from '../../cluster/rollouts';
import { PROGRESSING } from './rolloutStatus';

/** Identifies a Rollout; the namespace is needed only if the name is not unique on the cluster. */
export interface RolloutName {
  cluster: string;
  rollout: string;
  namespace?: string;
}

/** The actions of `kubectl argo rollouts` on a managed cluster. Every method throws if the Rollout does not exist. */
export interface RolloutControl {
  get(name: RolloutName): Rollout;
  /** Ends a pause; with `full` skips all remaining steps. Throws unless the Rollout is paused or `full` is set. */
  promote(name: RolloutName & { full?: boolean }): void;
  /** Aborts the update and returns to the stable version. */
  abort(name: RolloutName): void;
  /** Restarts an aborted update. */
  retry(name: RolloutName): void;
}

/** Creates the Rollout actions of a fleet's clusters. */
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
          `The Rollout ${name.rollout} of ${name.cluster} cannot be promoted: it is not paused but ${status?.phase}.`,
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
