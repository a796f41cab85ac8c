import { z } from 'zod';
import { parseFieldSource } from '../model/views';

const field = z
  .string()
  .refine(
    text => parseFieldSource(text) !== undefined,
    'must be label:<key> or annotation:<key>',
  )
  .transform(text => parseFieldSource(text)!);

/** Where the fields of an entity come from. */
export const catalogFields = {
  owner: field.optional(),
  lifecycle: field.optional(),
  system: field.optional(),
  tags: z.array(field).default([]),
};
