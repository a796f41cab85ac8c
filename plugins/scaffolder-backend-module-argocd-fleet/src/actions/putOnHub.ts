import type {
  BackstageCredentials,
  LoggerService,
} from '@backstage/backend-plugin-api';
import type {
  ArgocdFleetRequestOptions,
  ObjectRef,
  WriteResult,
} from 'backstage-plugin-argocd-fleet-common';
import { describeFailure, describeRef, type FleetAccess } from '../fleetAccess';
import { describeLeftovers, type Leftover } from '../leftovers';

/** What it took to have an object on the hub. */
export type PutResult = WriteResult['result'] | 'dryRun';

/** Puts one object on a hub as the user, or says what it would put there. */
export async function putOnHub(options: {
  readonly ctx: {
    readonly logger: LoggerService;
    readonly isDryRun?: boolean;
    readonly signal?: AbortSignal;
    getInitiatorCredentials(): Promise<BackstageCredentials>;
  };
  readonly fleet: FleetAccess;
  readonly kind: string;
  readonly ref: ObjectRef;
  readonly body: unknown;
  readonly put: (
    ref: ObjectRef,
    request: ArgocdFleetRequestOptions,
  ) => Promise<WriteResult>;
  /** What the steps before created for it, and what stays when this fails. */
  readonly leftovers?: readonly Leftover[];
}): Promise<PutResult> {
  const { ctx, fleet, kind, ref, body, put, leftovers = [] } = options;
  const what = `${kind} ${describeRef(ref)}`;
  if (ctx.isDryRun) {
    ctx.logger.info(`Would create ${what}: ${JSON.stringify(body)}`);
    return 'dryRun';
  }
  const token = await fleet.getToken(await ctx.getInitiatorCredentials());
  try {
    const { result } = await put(ref, { token, signal: ctx.signal });
    ctx.logger.info(
      result === 'unchanged'
        ? `${what} is already as it should be`
        : `${what} ${result}`,
    );
    return result;
  } catch (error) {
    throw new Error(
      [
        `Could not create ${what}: ${describeFailure(error)}`,
        ...(leftovers.length > 0
          ? [describeLeftovers(ref.hub, leftovers)]
          : []),
      ].join('\n'),
      { cause: error },
    );
  }
}
