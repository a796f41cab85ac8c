import { z } from 'zod';

/** An object without other fields; the mistake names those that there are. */
export function strict<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? `there is no field ${issue.keys.join(', ')}; the fields are ${Object.keys(
            shape,
          ).join(', ')}`
        : undefined,
  });
}
