import type { TransitionPage } from 'backstage-plugin-argocd-fleet-common';
import { transitions } from '../../__testUtils__/transitions';
import { startTimeline, type TimelineState } from './startTimeline';

/** A server that answers when the test says so. */
function start() {
  const asked: {
    readonly before?: string;
    readonly signal: AbortSignal;
    readonly answer: (page: TransitionPage) => Promise<void>;
    readonly fail: (message: string) => Promise<void>;
  }[] = [];
  const states: TimelineState[] = [];
  const timeline = startTimeline(
    (signal, before) =>
      new Promise((resolve, reject) => {
        // A task comes after everything that the answer leads to.
        const settled = () => new Promise<void>(done => setTimeout(done));
        asked.push({
          before,
          signal,
          answer: page => {
            resolve(page);
            return settled();
          },
          fail: message => {
            reject(new Error(message));
            return settled();
          },
        });
      }),
    state => states.push(state),
  );
  return { timeline, asked, state: () => states.at(-1) };
}

const LATEST = { items: transitions(6, 4), next: 'before 4' };

describe('startTimeline', () => {
  it('loads nothing before the first refresh', () => {
    expect(start().asked).toHaveLength(0);
  });

  it('loads once more for all changes during a request', async () => {
    const { timeline, asked, state } = start();
    timeline.refresh();
    timeline.refresh();
    timeline.refresh();
    expect(asked).toHaveLength(1);
    await asked[0].answer(LATEST);
    expect(asked).toHaveLength(2);
    await asked[1].answer({ items: transitions(7, 5), next: 'before 5' });
    expect(asked).toHaveLength(2);
    expect(state()?.pages?.items).toHaveLength(4);
  });

  it('goes back page by page', async () => {
    const { timeline, asked, state } = start();
    timeline.more();
    expect(asked).toHaveLength(0);
    timeline.refresh();
    await asked[0].answer(LATEST);
    timeline.more();
    timeline.more();
    expect(asked.map(({ before }) => before)).toEqual([undefined, 'before 4']);
    expect(state()?.loadingMore).toBe(true);
    await asked[1].answer({ items: transitions(3, 1) });
    expect(state()).toMatchObject({ loadingMore: false });
    expect(state()?.pages).toEqual({ items: transitions(6, 1) });
    timeline.more();
    expect(asked).toHaveLength(2);
  });

  it('keeps the pages when a request fails, and clears the error with the next success', async () => {
    const { timeline, asked, state } = start();
    timeline.refresh();
    await asked[0].answer(LATEST);
    timeline.refresh();
    await asked[1].fail('database is locked');
    expect(state()).toMatchObject({
      pages: LATEST,
      error: { message: 'database is locked' },
    });
    timeline.more();
    await asked[2].fail('still locked');
    expect(state()).toMatchObject({
      pages: LATEST,
      loadingMore: false,
      moreError: { message: 'still locked' },
    });
    timeline.refresh();
    await asked[3].answer(LATEST);
    expect(state()?.error).toBeUndefined();
  });

  it('aborts running requests, and publishes nothing after stop', async () => {
    const { timeline, asked, state } = start();
    timeline.refresh();
    timeline.refresh();
    timeline.stop();
    expect(asked[0].signal.aborted).toBe(true);
    await asked[0].answer(LATEST);
    expect(state()).toBeUndefined();
    expect(asked).toHaveLength(1);
  });
});
