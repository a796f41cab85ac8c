import type { BackstageCredentials } from '@backstage/backend-plugin-api';
import { ConflictError, ResponseError } from '@backstage/errors';
import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import { describeError, describeRef, type FleetAccess } from '../fleetAccess';

/**
 * Checks that a later step can create or change an ApplicationSet, so that nothing is created in vain before it.
 * @throws ConflictError when the ApplicationSet exists and was not created through this project's API; Error when the
 * API does not say whether it exists
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
          )} is taken, so nothing was created: ${describeError(error)}`,
          { cause: error },
        );
      },
    );
  if (labels && labels[MANAGED_BY_LABEL] !== MANAGED_BY) {
    throw new ConflictError(
      `The name is taken: the ApplicationSet ${describeRef(
        ref,
      )} was not created by Argo CD Fleet (it has no label ${MANAGED_BY_LABEL}=${MANAGED_BY}), so it must not be overwritten. Nothing was created. Choose another name, or add that label to it if Argo CD Fleet may change it.`,
    );
  }
}
