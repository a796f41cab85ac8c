import { z } from 'zod';

/** An object schema that rejects unknown fields; the error lists the allowed fields. */
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
