import { FleetContext } from '../hub/hubInformers';
import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { inTurns, nextTurn } from '../runtime/turns';
import { ReconcileResult } from './applicationSetStatus';
import {
  createOrUpdateApplications,
  deleteApplications,
  syncPolicyOf,
} from './applicationWrites';
import { argoClusters } from './argoClusters';
import { generationSteps } from './generateApplications';
import { rollingSteps, rolloutOf } from './rollingSync';
import { withOperations } from './rolloutOperations';
import { unsupportedField } from './unsupportedFields';
import { validateApplications, validationError } from './validateApplications';

/**
 * Generates the Applications of a set and creates, updates and deletes them on
 * the hub.
 *
 * @param existing - the set's Applications on the hub
 * @throws Error if the hub does not answer, or on a conflict
 */
export async function reconcileApplications(
  set: ApplicationSet,
  existing: readonly Application[],
  context: FleetContext & { namespaces: readonly string[] },
): Promise<ReconcileResult> {
  const { hub, clock, namespaces } = context;
  const clusters = argoClusters(hub.clusterSecrets.list());
  const unsupported = unsupportedField(set);
  const generated = await inTurns(
    generationSteps(set, {
      clusters,
      configMaps: hub.configMaps.list(),
      placementDecisions: hub.placementDecisions
        .list()
        .filter(({ metadata }) => metadata.namespace === namespaces[0]),
    }),
  );
  await nextTurn();
  const generationError = unsupported ?? generated.error;
  if (generationError) {
    return {
      parametersGenerated: false,
      error: generationError,
      isStopped: true,
    };
  }
  const { valid, errors } = validateApplications(
    set.metadata.name,
    generated.applications,
    {
      clusters,
      projects: new Set(
        hub.appProjects.list().map(({ metadata }) => metadata.name),
      ),
    },
  );
  const rollout = rollingSteps(set)
    ? rolloutOf(set, existing, generated.applications, clock.now())
    : undefined;
  const desired = rollout
    ? withOperations(set, valid, existing, rollout)
    : valid;
  const policy = syncPolicyOf(set);
  const rejection = await createOrUpdateApplications(
    set,
    desired,
    policy,
    context,
  );
  // Argo CD deletes no Application while the hub rejects another one.
  if (policy.deletes && !rejection) {
    await deleteApplications(existing, generated.applications, context);
  }
  return {
    parametersGenerated: true,
    error: rejection ?? validationError(errors),
    isStopped: rejection !== undefined,
    rollout,
  };
}
