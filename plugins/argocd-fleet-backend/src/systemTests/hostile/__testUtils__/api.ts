import { mockCredentials } from '@backstage/backend-test-utils';

/** Path of the API. */
export const BASE = '/api/argocd-fleet';

/** Header of a user of the portal. */
export function userHeader(name: string): string {
  return mockCredentials.user.header(`user:default/${name}`);
}
