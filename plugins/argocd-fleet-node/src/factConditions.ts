import { z } from 'zod';
import type { FactCondition } from './accessFacts';

/** Backstage's own answer to a condition has two values: what is unknown is not allowed. */
export const isTrue = (result: boolean | undefined) => result === true;

/** Parameters of a rule: a list of names under one key. */
export const namesParams = <Key extends string>(
  key: Key,
  description: string,
) =>
  z.object({
    [key]: z.array(z.string()).describe(description),
  } as Record<Key, z.ZodArray<z.ZodString>>);

/** Parameters of `HAS_LABEL`. */
export const labelParams = z.object({
  key: z.string().describe('Key of the label'),
  value: z
    .string()
    .optional()
    .describe('Its value; any value if this is left out'),
});

/** Whether the object has the label. */
export function hasLabel({
  key,
  value,
}: z.infer<typeof labelParams>): FactCondition<{
  readonly labels?: Readonly<Record<string, string>>;
}> {
  return ({ labels }) => {
    if (!labels) {
      return undefined;
    }
    const found = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return value === undefined ? found !== undefined : found === value;
  };
}
