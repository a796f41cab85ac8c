import { isError } from '@backstage/errors';

/** The message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  return isError(error) ? error.message : String(error);
}
