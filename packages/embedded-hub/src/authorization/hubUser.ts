import { ApiError } from '../api/statusErrors';

/** A user whom a hub authenticates by a bearer token. */
export interface HubUser {
  /** A service account is `system:serviceaccount:<namespace>:<name>`. */
  readonly name: string;
  /** Groups in addition to those that the name implies; `system:masters` may do everything. */
  readonly groups?: readonly string[];
}

/** A user with all groups. */
export type UserInfo = Required<HubUser>;

const ANONYMOUS: UserInfo = {
  name: 'system:anonymous',
  groups: ['system:unauthenticated'],
};

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):[^:]+$/;

function withGroups({ name, groups = [] }: HubUser): UserInfo {
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

/** The user with a token; without a token, the anonymous user. @throws ApiError 401 for an unknown token. */
export function authenticate(
  tokens: Readonly<Record<string, HubUser>>,
  token: string | undefined,
): UserInfo {
  if (token === undefined) {
    return ANONYMOUS;
  }
  if (!Object.hasOwn(tokens, token)) {
    throw new ApiError(401, 'Unauthorized', 'Unauthorized');
  }
  return withGroups(tokens[token]);
}
