import { isError } from '@backstage/errors';

/** The message of a thrown value. */
export function errorMessage(error: unknown): string {
  return isError(error) ? error.message : String(error);
}
