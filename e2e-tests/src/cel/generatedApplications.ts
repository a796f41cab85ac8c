import { createRandom, type Random } from './random';

/** A possible object of a cluster; the name says what is special about it. */
export interface GeneratedObject {
  readonly name: string;
  readonly object: object;
}

/** Texts that people and programs write into fields, with special characters. */
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

const HYDRATOR = {
  drySource: SOURCE,
  syncSource: { targetBranch: 'env/prod', path: 'guestbook' },
};

/**
 * This number of Applications, the same for the same seed: first known edge cases, then random ones.
 * @param bound - maximum length of the digest; texts have lengths around the positions where the digest truncates
 */
export function generatedApplications(
  count: number,
  seed: number,
  bound: number,
): GeneratedObject[] {
  const random = createRandom(seed);
  const edgeCases = edgeCasesFor(bound);
  const randomOnes = Array.from(
    { length: Math.max(0, count - edgeCases.length) },
    (_, index) => ({
      name: `random ${index}`,
      object: {
        ...FRAME,
        metadata: { ...FRAME.metadata, ...randomDeletion(random) },
        spec: random.oneOf([SPEC, { sourceHydrator: HYDRATOR }]),
        ...randomStatus(random, bound),
      },
    }),
  );
  return [...edgeCases, ...randomOnes].slice(0, count);
}

function edgeCasesFor(bound: number): GeneratedObject[] {
  const status = (name: string, value: object) => ({
    name,
    object: { ...FRAME, spec: SPEC, status: value },
  });
  const message = (length: number, end: string) =>
    'm'.repeat(length - [...end].length) + end;
  return [
    { name: 'an empty object', object: {} },
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
    // A character of two UTF-16 units at the position where a message is truncated, for both maximum lengths of
    // messages.
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
    // Digests of about the maximum length, of characters of four bytes.
    ...[-40, -34, -33, -32, -31, -3, -2, -1, 0, 1, 2].map(offset =>
      status(`about the maximum length, ${offset}`, {
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

function randomDeletion({ maybe, oneOf }: Random): object {
  return {
    deletionTimestamp: maybe(() => '2026-11-21T10:00:00Z'),
    finalizers: maybe(() =>
      oneOf([[], ['resources-finalizer.argocd.argoproj.io'], ['a/b', 'c/d']]),
    ),
  };
}

function randomStatus(random: Random, bound: number): object {
  const { maybe, oneOf, upTo } = random;
  const text = (): string => {
    const length = oneOf([0, 10, bound / 16, bound / 5, bound / 2]);
    return random.next() < 0.6
      ? oneOf(TEXTS)
      : Array.from({ length: upTo(length) }, () => oneOf(CHARACTERS)).join('');
  };
  const times = <T>(most: number, value: (index: number) => T): T[] =>
    Array.from({ length: upTo(most) }, (_, index) => value(index));
  const source = () => ({
    repoURL: oneOf([SOURCE.repoURL, text()]),
    path: maybe(text),
    chart: maybe(text),
    targetRevision: maybe(text),
    ref: maybe(text),
  });
  const health = () => ({
    status: maybe(() => oneOf(['Healthy', 'Degraded', 'Progressing', ''])),
    message: maybe(text),
    lastTransitionTime: maybe(() => '2026-11-21T10:00:00Z'),
  });
  const synced = () => ({
    group: maybe(() => oneOf(['', 'apps', 'argoproj.io'])),
    version: maybe(() => 'v1'),
    kind: maybe(() => oneOf(['Deployment', 'Rollout'])),
    namespace: maybe(() => 'guestbook'),
    name: maybe(() => `item-${upTo(999)}`),
    status: maybe(() => oneOf(['Synced', 'SyncFailed', 'OutOfSync', ''])),
    hookPhase: maybe(() => oneOf(['Running', 'Failed', 'Error'])),
    message: maybe(text),
    health: maybe(health),
    requiresPruning: maybe(() => oneOf([true, false])),
    requiresDeletionConfirmation: maybe(() => oneOf([true, false])),
  });
  const hydrated = () => ({
    phase: maybe(() => oneOf(['Hydrating', 'Hydrated', 'Failed'])),
    startedAt: maybe(() => '2026-11-21T10:00:00Z'),
    message: maybe(text),
    drySHA: maybe(() => 'd'.repeat(40)),
    hydratedSHA: maybe(() => 'e'.repeat(40)),
    sourceHydrator: maybe(() => oneOf([HYDRATOR, {}])),
  });
  return {
    status: maybe(() => ({
      health: maybe(health),
      resourceHealthSource: maybe(() => 'appTree'),
      sync: maybe(() => ({
        status: maybe(() => oneOf(['Synced', 'OutOfSync', 'Unknown'])),
        revision: maybe(() => 'a'.repeat(40)),
        revisions: maybe(() => times(3, text)),
        comparedTo: maybe(() => ({
          source: maybe(() => oneOf([SOURCE, source()])),
          sources: maybe(() => times(3, source)),
          destination: maybe(() => ({
            server: maybe(() => 'https://kubernetes.default.svc'),
            name: maybe(text),
            namespace: maybe(() => 'guestbook'),
          })),
        })),
      })),
      operationState: maybe(() => ({
        phase: maybe(() => oneOf(['Running', 'Failed', 'Succeeded', ''])),
        retryCount: maybe(() => upTo(10)),
        startedAt: maybe(() => '2026-11-21T10:00:00Z'),
        message: maybe(text),
        operation: maybe(() => ({
          sync: maybe(() => ({
            revision: maybe(() => 'b'.repeat(40)),
            revisions: maybe(() => times(3, text)),
          })),
          initiatedBy: maybe(() => ({
            username: maybe(text),
            automated: maybe(() => oneOf([true, false])),
          })),
          info: maybe(() =>
            times(3, () => ({ name: maybe(text), value: maybe(text) })),
          ),
        })),
        syncResult: maybe(() => ({
          resources: maybe(() => times(20, synced)),
        })),
      })),
      conditions: maybe(() =>
        times(5, () => ({
          type: maybe(() => oneOf(['SyncError', 'OrphanedResourceWarning'])),
          message: maybe(text),
        })),
      ),
      resources: maybe(() => times(oneOf([3, 40, 200]), synced)),
      summary: maybe(() => ({
        images: maybe(() => times(10, text)),
        externalURLs: maybe(() => times(5, text)),
      })),
      history: maybe(() => history(upTo(12))),
      sourceHydrator: maybe(() => ({
        currentOperation: maybe(hydrated),
        lastSuccessfulOperation: maybe(hydrated),
      })),
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
