import type { BackstageCredentials } from '@backstage/backend-plugin-api';
import { ConflictError, ResponseError } from '@backstage/errors';
import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import { describeFailure, describeRef, type FleetAccess } from '../fleetAccess';

/**
 * Makes sure that an ApplicationSet can be created or changed later, so that what comes before it is not created for nothing.
 * @throws ConflictError when something else than this project's API created one of that name; Error when that cannot be told
 */
export async function assertNameIsFree(options: {
  readonly ctx: {
    readonly signal?: AbortSignal;
    getInitiatorCredentials(): Promise<BackstageCredentials>;
  };
  readonly fleet: FleetAccess;
  readonly ref: ObjectRef;
}): Promise<void> {
  const { ctx, fleet, ref } = options;
  const token = await fleet.getToken(await ctx.getInitiatorCredentials());
  const labels = await fleet.client
    .getApplicationSet(ref, { token, signal: ctx.signal })
    .then(
      detail => detail.labels ?? {},
      error => {
        if (error instanceof ResponseError && error.response.status === 404) {
          return undefined;
        }
        throw new Error(
          `Could not find out whether the name of the ApplicationSet ${describeRef(
            ref,
          )} is taken, so nothing was created: ${describeFailure(error)}`,
          { cause: error },
        );
      },
    );
  if (labels && labels[MANAGED_BY_LABEL] !== MANAGED_BY) {
    throw new ConflictError(
      `The name is taken: the ApplicationSet ${describeRef(
        ref,
      )} was not made by Argo CD Fleet (it has no label ${MANAGED_BY_LABEL}=${MANAGED_BY}), so it would not be overwritten. Nothing was created. Choose another name, or give it that label to hand it over.`,
    );
  }
}
