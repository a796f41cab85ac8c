import { ServiceUnavailableError } from '@backstage/errors';
import { KubernetesError } from '../kubernetes/client/errors';
import { MissingNamespaceError } from './hubWriter';
import { retryOf } from './retryPolicy';

const middle = 0.5;

describe('retry policy', () => {
  it.each([
    ['conflict', 1, 50, true],
    ['conflict', 4, 400, true],
    ['alreadyExists', 30, 5_000, true],
    ['unavailable', 1, 250, false],
    ['throttled', 3, 1_000, false],
    ['unavailable', 30, 30_000, false],
    ['forbidden', 1, 10_000, true],
    ['invalid', 2, 20_000, true],
    ['forbidden', 30, 300_000, true],
  ] as const)(
    'retries after %s, failure %i, in %i ms; at once on a change: %s',
    (kind, attempt, afterMs, onChange) => {
      const error = new KubernetesError(kind, 'no');
      expect(retryOf(error, attempt, middle)).toMatchObject({
        afterMs,
        onChange,
      });
    },
  );

  it('retries soon after a failure of the database, and not earlier on a change', () => {
    const error = new ServiceUnavailableError('no connection');
    expect(retryOf(error, 1, middle)).toMatchObject({
      afterMs: 250,
      onChange: false,
    });
  });

  it('waits as long as the hub demands', () => {
    const error = new KubernetesError('throttled', 'slow down', {
      retryAfter: 7,
    });
    expect(retryOf(error, 1, middle).afterMs).toBe(7_000);
  });

  it('does not wait for hours because a proxy demands it', () => {
    const error = new KubernetesError('throttled', 'maintenance', {
      retryAfter: 7_200,
    });
    expect(retryOf(error, 1, middle).afterMs).toBe(60_000);
  });

  it('expects a single failure because of a stale cache', () => {
    const error = new KubernetesError('conflict', 'changed meanwhile');
    expect(retryOf(error, 1, middle).expected).toBe(true);
    expect(retryOf(error, 2, middle).expected).toBe(false);
    expect(
      retryOf(new KubernetesError('unavailable', ''), 1, middle).expected,
    ).toBe(false);
  });

  it('spreads the retries of keys that failed together', () => {
    const error = new KubernetesError('unavailable', 'away');
    expect(retryOf(error, 1, 0).afterMs).toBeLessThan(
      retryOf(error, 1, 1).afterMs,
    );
  });

  it('retries seldom while a namespace is missing, and at once on a change', () => {
    const notFound = new KubernetesError('notFound', 'no namespace');
    const error = new MissingNamespaceError('nowhere', notFound);
    expect(retryOf(error, 1, middle)).toMatchObject({
      afterMs: 10_000,
      onChange: true,
    });
  });

  it('retries seldom after a programming error', () => {
    expect(retryOf(new TypeError('x'), 1, middle).afterMs).toBe(10_000);
  });
});
