import type {
  BackstageCredentials,
  LoggerService,
} from '@backstage/backend-plugin-api';
import type {
  ArgocdFleetRequestOptions,
  ObjectRef,
  WriteResult,
} from 'backstage-plugin-argocd-fleet-common';
import { describeError, describeRef, type FleetAccess } from '../fleetAccess';
import { describeLeftovers, type Leftover } from '../leftovers';

/**
 * Creates or changes one object on a hub as the user, and sets the action's outputs that say so. A dry run only logs
 * the object.
 */
export async function putOnHub(options: {
  readonly ctx: {
    readonly logger: LoggerService;
    readonly isDryRun?: boolean;
    readonly signal?: AbortSignal;
    getInitiatorCredentials(): Promise<BackstageCredentials>;
    output(name: keyof ObjectRef, value: string): void;
    output(name: 'result', value: WriteResult['result'] | 'dryRun'): void;
  };
  readonly fleet: FleetAccess;
  readonly kind: string;
  readonly ref: ObjectRef;
  readonly body: unknown;
  readonly put: (
    ref: ObjectRef,
    request: ArgocdFleetRequestOptions,
  ) => Promise<WriteResult>;
  /** Whether the request only asks what would be done. */
  readonly isValidation?: boolean;
  /** Objects that earlier steps created and that stay on the hub when this step fails. */
  readonly leftovers?: readonly Leftover[];
}): Promise<void> {
  const { ctx, fleet, kind, ref, body, put, leftovers = [] } = options;
  const { isValidation = false } = options;
  const what = `${kind} ${describeRef(ref)}`;

  async function send(): Promise<WriteResult['result'] | 'dryRun'> {
    if (ctx.isDryRun) {
      ctx.logger.info(`Would create ${what}: ${JSON.stringify(body)}`);
      return 'dryRun';
    }
    const token = await fleet.getToken(await ctx.getInitiatorCredentials());
    try {
      const { result } = await put(ref, { token, signal: ctx.signal });
      ctx.logger.info(
        isValidation
          ? `The hub would accept ${what} (${result})`
          : `${what} ${result}`,
      );
      return isValidation ? 'dryRun' : result;
    } catch (error) {
      throw new Error(
        [
          `Could not create ${what}: ${describeError(error)}`,
          ...(leftovers.length > 0
            ? [describeLeftovers(ref.hub, leftovers)]
            : []),
        ].join('\n'),
        { cause: error },
      );
    }
  }

  const result = await send();
  ctx.output('hub', ref.hub);
  ctx.output('namespace', ref.namespace);
  ctx.output('name', ref.name);
  ctx.output('result', result);
}
