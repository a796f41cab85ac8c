import { createHash } from 'node:crypto';

/** Choices that depend on a seed and on what is chosen for, never on the order of asking. */
export interface SeededChoice {
  /** A number from 0 up to, not including, 1. */
  share(...subject: string[]): number;
  /** One of several. */
  oneOf<T>(values: readonly T[], ...subject: string[]): T;
  /** A UUID. */
  uid(...subject: string[]): string;
}

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
      // Version and variant of a UUID that is made of a name.
      bytes[6] = (bytes[6] & 0x0f) | 0x50;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      const hex = bytes.toString('hex');
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        hex.slice(12, 16),
        hex.slice(16, 20),
        hex.slice(20),
      ].join('-');
    },
  };
}
