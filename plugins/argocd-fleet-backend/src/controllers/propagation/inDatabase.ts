import { ServiceUnavailableError } from '@backstage/errors';
import { errorMessage } from '../../kubernetes/client';

/** A failure of the database is temporary and not one of the hub. */
export async function inDatabase<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw new ServiceUnavailableError(
      `The database of the plugin failed: ${errorMessage(error)}`,
      error,
    );
  }
}
