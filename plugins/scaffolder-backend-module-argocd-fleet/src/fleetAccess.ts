import type {
  AuthService,
  BackstageCredentials,
} from '@backstage/backend-plugin-api';
import { isError, ResponseError } from '@backstage/errors';
import type {
  ArgocdFleetClient,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';

const CAUSED_BY = '; caused by ';

/** The argocd-fleet API, as the user who started the template may use it. */
export interface FleetAccess {
  readonly client: ArgocdFleetClient;
  /** A token for one request on behalf of that user. */
  getToken(credentials: BackstageCredentials): Promise<string>;
}

export function createFleetAccess(options: {
  readonly auth: AuthService;
  readonly client: ArgocdFleetClient;
}): FleetAccess {
  return {
    client: options.client,
    async getToken(credentials) {
      const { token } = await options.auth.getPluginRequestToken({
        onBehalfOf: credentials,
        targetPluginId: 'argocd-fleet',
      });
      return token;
    },
  };
}

/** What went wrong, in the words of the one who knows: the API's own message where there is one. */
export function describeFailure(error: unknown): string {
  const told = error instanceof ResponseError ? error.cause : error;
  return isError(told) ? withoutRepetition(told.message) : String(told);
}

/** Backstage's errors add the words of their cause to their own, also where those are the same. */
function withoutRepetition(message: string): string {
  const [first, ...causes] = message.split(CAUSED_BY);
  return causes.reduce(
    (told, cause) =>
      told.includes(cause.replace(/^\w*Error: /, ''))
        ? told
        : `${told}${CAUSED_BY}${cause}`,
    first,
  );
}

/** An object as messages name it: `openshift-gitops/guestbook on the hub "hub"`. */
export function describeRef({ hub, namespace, name }: ObjectRef): string {
  return `${namespace}/${name} on the hub "${hub}"`;
}
