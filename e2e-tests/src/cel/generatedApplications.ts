/** Numbers from 0 up to, not including, 1; the same ones for the same seed. */
export type Dice = () => number;

/** An object as a cluster may have it, with what is special about it. */
export interface GeneratedObject {
  readonly name: string;
  readonly object: object;
}

/** What people and programs write into fields. */
export const TEXTS = [
  '',
  'plain',
  'tab\tin',
  'two\nlines',
  'carriage\r\nreturn',
  '"quoted" and \'quoted\'',
  'back\\slash \\n \\t',
  'r\tfake\tline',
  '\n.\n',
  'x\t99',
  'größer — “als” 日本語 العربية',
  'e\u0301 composed, zero\u200bwidth, nul-free \u0001 control',
  '😀👩‍👩‍👧‍👦🇩🇪',
  'half a pair \ud83d and \ude00 the other',
  '<&> ${x} {{y}} %d',
];

/** Characters of one, two, three and four bytes, of one and two UTF-16 units. */
const CHARACTERS = ['x', 'ß', '€', '😀', '\t', '\n'];

const FRAME = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'guestbook', namespace: 'argocd', generation: 3 },
};

const SOURCE = {
  repoURL: 'https://example.com/repository.git',
  path: 'guestbook',
  targetRevision: 'main',
};

const SPEC = { project: 'default', source: SOURCE };

/**
 * So many Applications, the same ones for the same seed: first those that somebody thought of, then what the dice give.
 * @param bound - of the digest; texts end and break around where it cuts
 */
export function generatedApplications(
  count: number,
  seed: number,
  bound: number,
): GeneratedObject[] {
  const dice = createDice(seed);
  const thought = thoughtOf(bound);
  const thrown = Array.from(
    { length: Math.max(0, count - thought.length) },
    (_, index) => ({
      name: `thrown ${index}`,
      object: { ...FRAME, spec: SPEC, ...thrownStatus(dice, bound) },
    }),
  );
  return [...thought, ...thrown].slice(0, count);
}

function thoughtOf(bound: number): GeneratedObject[] {
  const status = (name: string, value: object) => ({
    name,
    object: { ...FRAME, spec: SPEC, status: value },
  });
  const message = (length: number, end: string) =>
    'm'.repeat(length - [...end].length) + end;
  return [
    { name: 'nothing at all', object: {} },
    { name: 'no status', object: { ...FRAME, spec: SPEC } },
    status('an empty status', {}),
    status('empty parts', {
      health: {},
      sync: {},
      operationState: {},
      summary: {},
      resources: [],
      history: [],
      conditions: [],
    }),
    status('resources without fields', { resources: [{}, {}], history: [{}] }),
    status('megabytes of messages', {
      health: { status: 'Degraded' },
      operationState: {
        phase: 'Failed',
        retryCount: 5,
        message: '€\t'.repeat(700_000),
      },
      conditions: [
        { type: 'SyncError', message: 'y'.repeat(1_500_000) },
        { type: 'ComparisonError', message: '😀'.repeat(400_000) },
      ],
      resources: [resource(0, { message: '\n'.repeat(1_000_000) })],
    }),
    ...[2_000, 300].map(many =>
      status(`${many} resources`, {
        health: { status: 'Degraded' },
        sync: { status: 'OutOfSync' },
        resources: Array.from({ length: many }, (_, index) =>
          resource(index, index % 7 === 0 ? { message: '😀'.repeat(80) } : {}),
        ),
        history: history(10),
      }),
    ),
    // A character of two units right where a message is cut, for both lengths of messages.
    ...[bound / 5, bound / 16].map(Math.floor).flatMap(length =>
      [-2, -1, 0, 1, 2].map(offset =>
        status(`a message of ${length + offset} that ends in emoji`, {
          operationState: {
            phase: 'Error',
            message: message(length + offset, '😀😀😀'),
          },
          resources: [
            resource(1, { message: message(length + offset, '😀😀😀') }),
          ],
        }),
      ),
    ),
    // The whole around the bound, of characters of four bytes.
    ...[-40, -34, -33, -32, -31, -3, -2, -1, 0, 1, 2].map(offset =>
      status(`about as long as allowed, ${offset}`, {
        summary: {
          images: [
            '😀'.repeat(Math.floor(bound / 2)),
            '€'.repeat(Math.ceil(bound / 2) - 40 + offset),
          ],
        },
      }),
    ),
  ];
}

function thrownStatus(dice: Dice, bound: number): object {
  const some = <T>(value: () => T): T | undefined =>
    dice() < 0.7 ? value() : undefined;
  const oneOf = <T>(values: readonly T[]): T =>
    values[Math.floor(dice() * values.length)];
  const upTo = (most: number) => Math.floor(dice() * (most + 1));
  const text = (): string => {
    const length = oneOf([0, 10, bound / 16, bound / 5, bound / 2]);
    return dice() < 0.6
      ? oneOf(TEXTS)
      : Array.from({ length: upTo(length) }, () => oneOf(CHARACTERS)).join('');
  };
  const times = <T>(most: number, value: (index: number) => T): T[] =>
    Array.from({ length: upTo(most) }, (_, index) => value(index));
  const source = () => ({
    repoURL: oneOf([SOURCE.repoURL, text()]),
    path: some(text),
    chart: some(text),
    targetRevision: some(text),
    ref: some(text),
  });
  const health = () => ({
    status: some(() => oneOf(['Healthy', 'Degraded', 'Progressing', ''])),
    message: some(text),
    lastTransitionTime: some(() => '2026-11-21T10:00:00Z'),
  });
  const synced = () => ({
    group: some(() => oneOf(['', 'apps', 'argoproj.io'])),
    version: some(() => 'v1'),
    kind: some(() => oneOf(['Deployment', 'Rollout'])),
    namespace: some(() => 'guestbook'),
    name: some(() => `item-${upTo(999)}`),
    status: some(() => oneOf(['Synced', 'SyncFailed', 'OutOfSync', ''])),
    hookPhase: some(() => oneOf(['Running', 'Failed', 'Error'])),
    message: some(text),
    health: some(health),
  });
  return {
    status: some(() => ({
      health: some(health),
      resourceHealthSource: some(() => 'appTree'),
      sync: some(() => ({
        status: some(() => oneOf(['Synced', 'OutOfSync', 'Unknown'])),
        revision: some(() => 'a'.repeat(40)),
        revisions: some(() => times(3, text)),
        comparedTo: some(() => ({
          source: some(() => oneOf([SOURCE, source()])),
          sources: some(() => times(3, source)),
          destination: some(() => ({
            server: some(() => 'https://kubernetes.default.svc'),
            name: some(text),
            namespace: some(() => 'guestbook'),
          })),
        })),
      })),
      operationState: some(() => ({
        phase: some(() => oneOf(['Running', 'Failed', 'Succeeded', ''])),
        retryCount: some(() => upTo(10)),
        startedAt: some(() => '2026-11-21T10:00:00Z'),
        message: some(text),
        syncResult: some(() => ({ resources: some(() => times(20, synced)) })),
      })),
      conditions: some(() =>
        times(5, () => ({
          type: some(() => oneOf(['SyncError', 'OrphanedResourceWarning'])),
          message: some(text),
        })),
      ),
      resources: some(() => times(oneOf([3, 40, 200]), synced)),
      summary: some(() => ({
        images: some(() => times(10, text)),
        externalURLs: some(() => times(5, text)),
      })),
      history: some(() => history(upTo(12))),
    })),
  };
}

function resource(index: number, { message }: { message?: string }) {
  return {
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    namespace: 'guestbook',
    name: `item-${index}`,
    status: 'Synced',
    health: {
      status: message === undefined ? 'Healthy' : 'Degraded',
      ...(message !== undefined && { message }),
    },
  };
}

function history(length: number) {
  return Array.from({ length }, (_, id) => ({
    id,
    deployedAt: '2026-11-21T10:00:00Z',
    ...(id % 2 === 0
      ? { revision: 'b'.repeat(40) }
      : { revisions: ['1.2.3', 'c'.repeat(40)] }),
    source: SOURCE,
  }));
}

/** A linear congruential generator (Numerical Recipes' constants): plenty for throwing dice. */
export function createDice(seed: number): Dice {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
