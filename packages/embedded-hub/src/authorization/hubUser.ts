import { ApiError } from '../api/statusErrors';

/** Somebody whom a hub knows by a bearer token. */
export interface HubUser {
  /** A service account is `system:serviceaccount:<namespace>:<name>`. */
  readonly name: string;
  /** Beyond those that come with the name; `system:masters` may do everything. */
  readonly groups?: readonly string[];
}

/** A user with all of its groups. */
export type KnownUser = Required<HubUser>;

const ANONYMOUS: KnownUser = {
  name: 'system:anonymous',
  groups: ['system:unauthenticated'],
};

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):[^:]+$/;

function withGroups({ name, groups = [] }: HubUser): KnownUser {
  const [, namespace] = SERVICE_ACCOUNT.exec(name) ?? [];
  return {
    name,
    groups: [
      ...groups,
      ...(namespace
        ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
        : []),
      'system:authenticated',
    ],
  };
}

/** Who sent the request; nobody in particular without a token. A token that nobody has is refused. */
export function authenticate(
  tokens: Readonly<Record<string, HubUser>>,
  token: string | undefined,
): KnownUser {
  if (token === undefined) {
    return ANONYMOUS;
  }
  if (!Object.hasOwn(tokens, token)) {
    throw new ApiError(401, 'Unauthorized', 'Unauthorized');
  }
  return withGroups(tokens[token]);
}
