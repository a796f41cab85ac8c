import type { TransitionPage } from 'backstage-plugin-argocd-fleet-common';
import { transitions } from '../../__testUtils__/transitions';
import { startTimeline, type TimelineState } from './startTimeline';

/** A timeline whose requests are answered by the test. */
function start() {
  const requests: {
    readonly before?: string;
    readonly signal: AbortSignal;
    readonly answer: (page: TransitionPage) => Promise<void>;
    readonly fail: (message: string) => Promise<void>;
  }[] = [];
  const states: TimelineState[] = [];
  const timeline = startTimeline(
    (signal, before) =>
      new Promise((resolve, reject) => {
        // A new task runs after all microtasks that the answer causes.
        const settled = () => new Promise<void>(done => setTimeout(done));
        requests.push({
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
  return { timeline, requests, state: () => states.at(-1) };
}

const LATEST = { items: transitions(6, 4), next: 'before 4' };

describe('startTimeline', () => {
  it('loads nothing before the first refresh', () => {
    expect(start().requests).toHaveLength(0);
  });

  it('loads once more for all changes during a request', async () => {
    const { timeline, requests, state } = start();
    timeline.refresh();
    timeline.refresh();
    timeline.refresh();
    expect(requests).toHaveLength(1);
    await requests[0].answer(LATEST);
    expect(requests).toHaveLength(2);
    await requests[1].answer({ items: transitions(7, 5), next: 'before 5' });
    expect(requests).toHaveLength(2);
    expect(state()?.pages?.items).toHaveLength(4);
  });

  it('goes back page by page', async () => {
    const { timeline, requests, state } = start();
    timeline.more();
    expect(requests).toHaveLength(0);
    timeline.refresh();
    await requests[0].answer(LATEST);
    timeline.more();
    timeline.more();
    expect(requests.map(({ before }) => before)).toEqual([
      undefined,
      'before 4',
    ]);
    expect(state()?.loadingMore).toBe(true);
    await requests[1].answer({ items: transitions(3, 1) });
    expect(state()).toMatchObject({ loadingMore: false });
    expect(state()?.pages).toEqual({ items: transitions(6, 1) });
    timeline.more();
    expect(requests).toHaveLength(2);
  });

  it('keeps the pages when a request fails, and clears the error with the next success', async () => {
    const { timeline, requests, state } = start();
    timeline.refresh();
    await requests[0].answer(LATEST);
    timeline.refresh();
    await requests[1].fail('database is locked');
    expect(state()).toMatchObject({
      pages: LATEST,
      error: { message: 'database is locked' },
    });
    timeline.more();
    await requests[2].fail('still locked');
    expect(state()).toMatchObject({
      pages: LATEST,
      loadingMore: false,
      moreError: { message: 'still locked' },
    });
    timeline.refresh();
    await requests[3].answer(LATEST);
    expect(state()?.error).toBeUndefined();
  });

  it('aborts running requests, and publishes nothing after stop', async () => {
    const { timeline, requests, state } = start();
    timeline.refresh();
    timeline.refresh();
    timeline.stop();
    expect(requests[0].signal.aborted).toBe(true);
    await requests[0].answer(LATEST);
    expect(state()).toBeUndefined();
    expect(requests).toHaveLength(1);
  });
});
