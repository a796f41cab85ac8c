import { shownText } from '../text';
import { DIGEST_FAMILY, readFields } from './digestLines';

/** The hub's ManifestWork allows a condition's message no more characters. */
const MAX_DIGEST_LENGTH = 32_768;

/** Tags of lines that are compared with a spec, or whose URLs are links: they are not shown as texts. */
const KEPT_LINES = ['t\t', 'd\t', 'u\t'];

/** Whether a condition's message is a digest, of any version. */
export function isDigest(message: string): boolean {
  return message.startsWith(DIGEST_FAMILY);
}

/** A digest with each field as it is shown (`shownText`); cut to its bound, as one that was cut on its way. */
export function shownDigest(message: string): string {
  return message
    .slice(0, MAX_DIGEST_LENGTH)
    .split('\n')
    .map(line =>
      KEPT_LINES.some(tag => line.startsWith(tag))
        ? line
        : readFields(line).map(shownText).join('\t'),
    )
    .join('\n');
}
