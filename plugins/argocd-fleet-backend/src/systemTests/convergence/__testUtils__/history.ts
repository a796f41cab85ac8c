import fc from 'fast-check';

/** The little fleet in which histories happen. */
export const CLUSTERS = ['one', 'two', 'three', 'hub'] as const;
export const NAMESPACES = ['tenant-a', 'tenant-b'] as const;
export const SETS = ['blue', 'green'] as const;
/** Each Application has a namespace of its own choice for good: a name is never in both. */
export const APPLICATIONS = [
  { namespace: 'tenant-a', name: 'shop' },
  { namespace: 'tenant-a', name: 'mail' },
  { namespace: 'tenant-b', name: 'wiki' },
  { namespace: 'tenant-b', name: 'chat' },
] as const;

const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'] as const;
const NOT_TRUE = ['0', 'false', 'yes', 'tRUE', ''] as const;

/** Something that somebody does on the hub, or that happens to the controller; what has no object then does nothing. */
export type Event =
  | {
      readonly does: 'apply' | 'recreate';
      readonly app: number;
      readonly cluster: string;
      readonly finalizer: boolean;
    }
  | { readonly does: 'delete'; readonly app: number }
  | { readonly does: 'respec'; readonly app: number; readonly to: string }
  | { readonly does: 'label'; readonly app: number; readonly to: string }
  | { readonly does: 'unlabel'; readonly app: number }
  | {
      readonly does: 'retarget';
      readonly app: number;
      readonly to: string | null;
    }
  | {
      readonly does: 'rehome';
      readonly app: number;
      readonly to: string | null;
    }
  | { readonly does: 'operate' | 'refresh'; readonly app: number }
  | {
      readonly does: 'own';
      readonly app: number;
      readonly by: string | undefined;
    }
  | {
      readonly does: 'deleteSet';
      readonly set: string;
      readonly namespace: string;
      readonly orphan: boolean;
    }
  | {
      readonly does: 'decide';
      readonly namespace: string;
      readonly slot: number;
      readonly clusters: readonly string[];
    }
  | {
      readonly does: 'undecide';
      readonly namespace: string;
      readonly slot: number;
    }
  | {
      readonly does: 'cluster';
      readonly cluster: string;
      readonly to: 'gone' | 'there' | 'local';
    }
  | {
      readonly does: 'meddle';
      readonly work: number;
      readonly how: 'spec' | 'labels' | 'disown' | 'delete';
    }
  | { readonly does: 'agent'; readonly how: 'hold' | 'release' }
  | { readonly does: 'restart' | 'settle' };

/** An event, and how many turns of the event loop the controller has before the next one. */
export type Moment = Event & { readonly turns: number };

const app = fc.nat(APPLICATIONS.length - 1);
const cluster = fc.constantFrom(...CLUSTERS);
const namespace = fc.constantFrom(...NAMESPACES);
const slot = fc.nat(1);
const set = fc.constantFrom(...SETS);

function event<const Does extends Event['does']>(
  does: Does,
  fields: { readonly [key: string]: fc.Arbitrary<unknown> } = {},
): fc.Arbitrary<Event> {
  return fc.record({ does: fc.constant(does), ...fields }) as fc.Arbitrary<
    Event & { does: Does }
  >;
}

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
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
    arbitrary: event('respec', { app, to: fc.constantFrom('v1', 'v2', 'v3') }),
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
      to: fc.oneof(cluster, fc.constantFrom(null, '', 'unheard-of')),
    }),
  },
  {
    weight: 1,
    arbitrary: event('rehome', {
      app,
      to: fc.constantFrom(null, '', 'argocd'),
    }),
  },
  { weight: 1, arbitrary: event('operate', { app }) },
  { weight: 1, arbitrary: event('refresh', { app }) },
  {
    weight: 2,
    arbitrary: event('own', { app, by: fc.option(set, { nil: undefined }) }),
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
  { weight: 1, arbitrary: event('undecide', { namespace, slot }) },
  {
    weight: 2,
    arbitrary: event('cluster', {
      cluster,
      to: fc.constantFrom('gone', 'there', 'local'),
    }),
  },
  {
    weight: 2,
    arbitrary: event('meddle', {
      work: fc.nat(5),
      how: fc.constantFrom('spec', 'labels', 'disown', 'delete'),
    }),
  },
  {
    weight: 2,
    arbitrary: event('agent', { how: fc.constantFrom('hold', 'release') }),
  },
  { weight: 1, arbitrary: event('restart') },
  { weight: 2, arbitrary: event('settle') },
);

/** Between nothing at all and enough for a few requests. */
const turns = fc.oneof(fc.constant(0), fc.nat(5), fc.nat(60));

/** Histories of the fleet; they shrink to fewer events that are closer together. */
export const histories: fc.Arbitrary<Moment[]> = fc.array(
  fc
    .tuple(anyEvent, turns)
    .map(([happened, wait]): Moment => ({ ...happened, turns: wait })),
  { minLength: 1, maxLength: 40, size: 'max' },
);
