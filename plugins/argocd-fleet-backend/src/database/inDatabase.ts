import { ServiceUnavailableError } from '@backstage/errors';
import { errorMessage } from '../kubernetes/client';
import { TakenOverError } from './fleetRecords';

/** A failure of the database is temporary and not one of the hub; so is that another replica writes. */
export async function inDatabase<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    const message = errorMessage(error);
    throw new ServiceUnavailableError(
      error instanceof TakenOverError
        ? message
        : `The database of the plugin failed: ${message}`,
      error,
    );
  }
}
