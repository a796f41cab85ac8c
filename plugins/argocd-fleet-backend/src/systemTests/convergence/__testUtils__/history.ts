import fc from 'fast-check';

/** The small fleet of the random histories. */
export const CLUSTERS = ['one', 'two', 'three', 'hub'] as const;
export const NAMESPACES = ['tenant-a', 'tenant-b'] as const;
export const SETS = ['blue', 'green'] as const;
/** No name is used in both namespaces. */
export const APPLICATIONS = [
  { namespace: 'tenant-a', name: 'shop' },
  { namespace: 'tenant-a', name: 'mail' },
  { namespace: 'tenant-b', name: 'wiki' },
  { namespace: 'tenant-b', name: 'chat' },
] as const;

const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'] as const;
const NOT_TRUE = ['0', 'false', 'yes', 'tRUE', ''] as const;

/** A change on the hub, or a restart of the controller. A change of a missing object does nothing. */
export type FleetEvent =
  | {
      readonly type: 'apply' | 'recreate';
      readonly app: number;
      readonly cluster: string;
      readonly finalizer: boolean;
    }
  | { readonly type: 'delete'; readonly app: number }
  | { readonly type: 'changeSpec'; readonly app: number; readonly to: string }
  | { readonly type: 'label'; readonly app: number; readonly to: string }
  | { readonly type: 'unlabel'; readonly app: number }
  | {
      readonly type: 'retarget';
      readonly app: number;
      readonly to: string | null;
    }
  | {
      readonly type: 'setAppNamespace';
      readonly app: number;
      readonly to: string | null;
    }
  | { readonly type: 'startSync' | 'refresh'; readonly app: number }
  | {
      readonly type: 'setOwner';
      readonly app: number;
      readonly by: string | undefined;
    }
  | {
      readonly type: 'deleteSet';
      readonly set: string;
      readonly namespace: string;
      readonly orphan: boolean;
    }
  | {
      readonly type: 'decide';
      readonly namespace: string;
      readonly slot: number;
      readonly clusters: readonly string[];
    }
  | {
      readonly type: 'deleteDecision';
      readonly namespace: string;
      readonly slot: number;
    }
  | {
      readonly type: 'cluster';
      readonly cluster: string;
      readonly to: 'gone' | 'there' | 'local';
    }
  | {
      readonly type: 'overwriteWork';
      readonly work: number;
      readonly how: 'spec' | 'labels' | 'disown' | 'delete';
    }
  | { readonly type: 'agent'; readonly how: 'hold' | 'release' }
  | { readonly type: 'restart' | 'waitUntilQuiet' };

/** An event and the number of event-loop turns before the next one. */
export type Moment = FleetEvent & { readonly turns: number };

const app = fc.nat(APPLICATIONS.length - 1);
const cluster = fc.constantFrom(...CLUSTERS);
const namespace = fc.constantFrom(...NAMESPACES);
const slot = fc.nat(1);
const set = fc.constantFrom(...SETS);

function event<const Type extends FleetEvent['type']>(
  type: Type,
  fields: { readonly [key: string]: fc.Arbitrary<unknown> } = {},
): fc.Arbitrary<FleetEvent> {
  return fc.record({ type: fc.constant(type), ...fields }) as fc.Arbitrary<
    FleetEvent & { type: Type }
  >;
}

const anyEvent: fc.Arbitrary<FleetEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: event('apply', { app, cluster, finalizer: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: event('recreate', { app, cluster, finalizer: fc.boolean() }),
  },
  { weight: 2, arbitrary: event('delete', { app }) },
  {
    weight: 2,
    arbitrary: event('changeSpec', {
      app,
      to: fc.constantFrom('v1', 'v2', 'v3'),
    }),
  },
  {
    weight: 2,
    arbitrary: event('label', {
      app,
      to: fc.constantFrom(...TRUE, ...NOT_TRUE),
    }),
  },
  { weight: 1, arbitrary: event('unlabel', { app }) },
  {
    weight: 3,
    arbitrary: event('retarget', {
      app,
      to: fc.oneof(cluster, fc.constantFrom(null, '', 'unknown')),
    }),
  },
  {
    weight: 1,
    arbitrary: event('setAppNamespace', {
      app,
      to: fc.constantFrom(null, '', 'argocd'),
    }),
  },
  { weight: 1, arbitrary: event('startSync', { app }) },
  { weight: 1, arbitrary: event('refresh', { app }) },
  {
    weight: 2,
    arbitrary: event('setOwner', {
      app,
      by: fc.option(set, { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: event('deleteSet', { set, namespace, orphan: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: event('decide', {
      namespace,
      slot,
      clusters: fc.subarray([...CLUSTERS]),
    }),
  },
  { weight: 1, arbitrary: event('deleteDecision', { namespace, slot }) },
  {
    weight: 2,
    arbitrary: event('cluster', {
      cluster,
      to: fc.constantFrom('gone', 'there', 'local'),
    }),
  },
  {
    weight: 2,
    arbitrary: event('overwriteWork', {
      work: fc.nat(5),
      how: fc.constantFrom('spec', 'labels', 'disown', 'delete'),
    }),
  },
  {
    weight: 2,
    arbitrary: event('agent', { how: fc.constantFrom('hold', 'release') }),
  },
  { weight: 1, arbitrary: event('restart') },
  { weight: 2, arbitrary: event('waitUntilQuiet') },
);

/** From none to enough for a few requests. */
const turns = fc.oneof(fc.constant(0), fc.nat(5), fc.nat(60));

/** Histories of the fleet. They shrink to fewer events with fewer turns between them. */
export const histories: fc.Arbitrary<Moment[]> = fc.array(
  fc
    .tuple(anyEvent, turns)
    .map(([next, wait]): Moment => ({ ...next, turns: wait })),
  { minLength: 1, maxLength: 40, size: 'max' },
);
