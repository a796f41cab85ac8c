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

/** The argocd-fleet API, used on behalf of the user who started the template. */
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

/** The message of an error: the API's own message if the API sent one. */
export function describeError(error: unknown): string {
  const source = error instanceof ResponseError ? error.cause : error;
  return isError(source) ? withoutRepetition(source.message) : String(source);
}

/** Backstage's errors append the message of their cause, even when it repeats their own. */
function withoutRepetition(message: string): string {
  const [first, ...causes] = message.split(CAUSED_BY);
  return causes.reduce(
    (text, cause) =>
      text.includes(cause.replace(/^\w*Error: /, ''))
        ? text
        : `${text}${CAUSED_BY}${cause}`,
    first,
  );
}

/** An object as messages name it: `openshift-gitops/guestbook on the hub "hub"`. */
export function describeRef({ hub, namespace, name }: ObjectRef): string {
  return `${namespace}/${name} on the hub "${hub}"`;
}
