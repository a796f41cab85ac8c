import { CustomErrorBase } from '@backstage/errors';

/** A page opens one and closes it soon after it is hidden, so this is enough for several windows and scripts. */
const MAX_STREAMS = 10;

/** The caller has too many event streams open. */
export class TooManyStreamsError extends CustomErrorBase {
  name = 'TooManyStreamsError';
  readonly status = 429;
}

/** Counts the open event streams of each caller. */
export interface StreamLimit {
  /**
   * Counts one more, until the returned function is called.
   * @throws TooManyStreamsError
   */
  open(caller: string): () => void;
}

/** Creates the counts of this process. */
export function createStreamLimit(maxStreams = MAX_STREAMS): StreamLimit {
  const counts = new Map<string, number>();
  return {
    open(caller) {
      const open = counts.get(caller) ?? 0;
      if (open >= maxStreams) {
        throw new TooManyStreamsError(
          `You have ${open} event streams open, which is the limit for one user. Close pages or scripts that follow changes; an open stream ends by itself after some minutes.`,
        );
      }
      counts.set(caller, open + 1);
      let ended = false;
      return () => {
        if (ended) {
          return;
        }
        ended = true;
        const left = (counts.get(caller) ?? 1) - 1;
        if (left > 0) {
          counts.set(caller, left);
        } else {
          counts.delete(caller);
        }
      };
    },
  };
}
