import { cutText } from '../text';
import type { RecordedState } from './applicationRecord';

/**
 * Bytes of an error in a transition, in UTF-8: a cluster that writes another one with each change fills the history.
 * What holds now is stored, compared and shown in full.
 */
export const MAX_HISTORY_ERROR_BYTES = 1_024;
/** Likewise, of a revision: digests and the names of branches are shorter. */
const MAX_REVISION_BYTES = 256;
/** Likewise, of the revisions of all sources: commits of 47 sources. */
const MAX_REVISIONS_BYTES = 2_048;

/** The texts of a state as a transition has them. */
export function historyTexts({
  revision,
  revisions,
  error,
}: RecordedState): Pick<RecordedState, 'revision' | 'revisions' | 'error'> {
  return {
    revision: revision && cutText(revision, MAX_REVISION_BYTES),
    revisions: revisions && firstRevisions(revisions),
    error: error && cutText(error, MAX_HISTORY_ERROR_BYTES),
  };
}

/** As many of the first ones as there is room for. */
function firstRevisions(json: string): string {
  if (Buffer.byteLength(json) <= MAX_REVISIONS_BYTES) {
    return json;
  }
  const kept: string[] = [];
  let bytes = 1;
  for (const revision of JSON.parse(json) as readonly string[]) {
    const cut = cutText(revision, MAX_REVISION_BYTES);
    bytes += Buffer.byteLength(JSON.stringify(cut)) + 1;
    if (bytes > MAX_REVISIONS_BYTES) {
      break;
    }
    kept.push(cut);
  }
  return JSON.stringify(kept);
}
