import { emptyCache } from '../__testUtils__/emptyCache';
import { KubernetesError } from '../kubernetes/client';
import { AUTHORISING_RESOURCES } from './authorisations';
import { createAuthorisationWaiters } from './authorisationWaiters';

/** A cache whose lists end as the test says. */
function hub() {
  const cache = emptyCache();
  const listeners = new Set<() => void>();
  const ended = new Map<string, 'listed' | 'forbidden'>();
  const woken: string[][] = [];
  const waiters = createAuthorisationWaiters({
    ...cache,
    isKnown: name => ended.get(name) === 'listed',
    states: () => {
      const states = { ...cache.states() };
      for (const name of AUTHORISING_RESOURCES) {
        states[name] = {
          ...states[name],
          ...(ended.get(name) === 'forbidden' && {
            failure: new KubernetesError('forbidden', 'may not list'),
          }),
        };
      }
      return states;
    },
    onStateChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const stop = waiters.onKnown(keys => woken.push([...keys]));
  const end = (how: 'listed' | 'forbidden', ...names: string[]) => {
    names.forEach(name => ended.set(name, how));
    listeners.forEach(listener => listener());
  };
  return { waiters, woken, end, stop };
}

it('wakes what waits once the last list has ended', () => {
  const { waiters, woken, end } = hub();
  waiters.add('a/one');
  end('listed', 'placements', 'clusterSets');
  expect(woken).toEqual([]);
  end('listed', 'clusterSetBindings');
  end('listed', 'clusterSetBindings');
  expect(woken).toEqual([['a/one']]);
});

it('wakes what waits for a list that turns out to be forbidden, and then only once it is allowed', () => {
  const { waiters, woken, end } = hub();
  waiters.add('a/one');
  end('listed', 'placements', 'clusterSets');
  end('forbidden', 'clusterSetBindings');
  expect(woken).toEqual([['a/one']]);

  // It was reconciled, and still may not be delivered.
  waiters.add('a/one');
  end('forbidden', 'clusterSetBindings');
  expect(woken).toHaveLength(1);
  end('listed', 'clusterSetBindings');
  expect(woken).toEqual([['a/one'], ['a/one']]);
});

it('wakes nothing that was reconciled again meanwhile', () => {
  const { waiters, woken, end } = hub();
  waiters.add('a/gone');
  waiters.delete('a/gone');
  end('listed', ...AUTHORISING_RESOURCES);
  expect(woken).toEqual([]);
});
