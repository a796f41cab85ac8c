import { createHash } from 'node:crypto';

import { uuidOfHash } from '../kubernetes/objects';

/** Pseudo-random choices that depend only on the seed and the subject, not on the order of calls. */
export interface SeededChoice {
  /** A number in [0, 1). */
  share(...subject: string[]): number;
  /** One of the values. */
  oneOf<T>(values: readonly T[], ...subject: string[]): T;
  /** A UUID. */
  uid(...subject: string[]): string;
}

/** Creates the choices of a seed. */
export function createSeededChoice(seed: string | number): SeededChoice {
  const digest = (subject: readonly string[]) =>
    createHash('sha1')
      .update([seed, ...subject].join('\n'))
      .digest();
  const share = (...subject: string[]) =>
    digest(['share', ...subject]).readUIntBE(0, 6) / 2 ** 48;
  return {
    share,
    oneOf: (values, ...subject) =>
      values[Math.floor(share(...subject) * values.length)],
    uid(...subject) {
      const bytes = digest(['uid', ...subject]).subarray(0, 16);
      // Version 5 and variant of a name-based UUID.
      bytes[6] = (bytes[6] & 0x0f) | 0x50;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      return uuidOfHash(bytes.toString('hex'));
    },
  };
}
