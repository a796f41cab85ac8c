import type {
  ArgoApplication,
  ArgoResourceStatus,
} from 'backstage-plugin-argocd-fleet-common';
import fc from 'fast-check';
import { evaluateMessage, evaluateRule } from 'simulated-fleet';
import { numberOfCases, SEED } from '../../__testUtils__/randomCases';
import {
  application,
  forbidden,
  revision,
  spokeStatus,
} from '../__testUtils__/applications';
import { parseDigest, type Digest } from './digest';
import {
  DIGEST_LENGTH,
  digestExpression,
  READY_EXPRESSION,
} from './digestExpression';
import { createResourceReader } from './digestResources';
import { hasLegalNames } from './resourceNames';

const NUM_RUNS = numberOfCases({ test: 20, long: 50 });

/** The digest that the work agent makes of an object. */
function digestOf(object: object, length: number = DIGEST_LENGTH.default) {
  return evaluateMessage(digestExpression(length), object, false) as string;
}

const characters = (text: string) => [...text].length;

describe('the digest of an Application', () => {
  it('contains all details of a failed sync', () => {
    const app = application({
      status: {
        ...spokeStatus({ health: 'Missing', sync: 'OutOfSync' }),
        operationState: {
          phase: 'Failed',
          retryCount: 5,
          startedAt: '2026-11-21T10:02:00Z',
          message: 'one or more objects failed to apply\nretried\t5 times',
          operation: {
            initiatedBy: { username: 'alice', automated: true },
            info: [{ name: 'reason', value: 'config\tfixed' }],
          },
          syncResult: {
            resources: [
              {
                group: 'apps',
                version: 'v1',
                kind: 'Deployment',
                namespace: 'guestbook',
                name: 'guestbook-ui',
                status: 'SyncFailed',
                message: forbidden,
              },
              {
                version: 'v1',
                kind: 'Namespace',
                name: 'guestbook',
                status: 'Synced',
                message: 'namespace/guestbook created',
              },
            ],
          },
        },
        conditions: [
          { type: 'SyncError', message: `Failed sync attempt: ${forbidden}` },
        ],
        resources: [
          {
            version: 'v1',
            kind: 'Namespace',
            name: 'guestbook',
            status: 'Synced',
          },
          {
            group: 'apps',
            version: 'v1',
            kind: 'Deployment',
            namespace: 'guestbook',
            name: 'guestbook-ui',
            status: 'OutOfSync',
            health: { status: 'Missing' },
            requiresPruning: true,
            requiresDeletionConfirmation: true,
          },
        ],
        summary: {
          images: ['gcr.io/google-samples/gb-frontend:v5'],
          externalURLs: ['https://guestbook.example.com'],
        },
        history: [
          {
            id: 0,
            revision,
            deployedAt: '2026-11-21T09:00:00Z',
            source: { repoURL: 'https://example.com/r.git' },
          },
        ],
      },
    });

    expect(parseDigest(digestOf(app))).toEqual<Digest>({
      health: 'Missing',
      sync: 'OutOfSync',
      revision: spokeStatus({}).sync?.revision,
      operation: {
        phase: 'Failed',
        retries: 5,
        startedAt: '2026-11-21T10:02:00Z',
        message: 'one or more objects failed to apply retried 5 times',
        startedBy: 'alice',
        automated: true,
      },
      operationInformation: [{ name: 'reason', value: 'config fixed' }],
      comparedTo: {
        sources: [
          {
            repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
            path: 'guestbook',
            targetRevision: 'main',
          },
        ],
        destination: {
          server: 'https://kubernetes.default.svc',
          namespace: 'guestbook',
        },
        equalsSpec: true,
      },
      conditions: [
        { type: 'SyncError', message: `Failed sync attempt: ${forbidden}` },
      ],
      failedResources: [
        {
          group: 'apps',
          version: 'v1',
          kind: 'Deployment',
          namespace: 'guestbook',
          name: 'guestbook-ui',
          message: forbidden,
        },
      ],
      resources: [
        {
          group: 'apps',
          version: 'v1',
          kind: 'Deployment',
          namespace: 'guestbook',
          name: 'guestbook-ui',
          sync: 'OutOfSync',
          health: 'Missing',
          requiresPruning: true,
          requiresDeletionConfirmation: true,
        },
        { version: 'v1', kind: 'Namespace', name: 'guestbook', sync: 'Synced' },
      ],
      images: ['gcr.io/google-samples/gb-frontend:v5'],
      externalUrls: ['https://guestbook.example.com'],
      history: [{ id: 0, deployedAt: '2026-11-21T09:00:00Z', revision }],
      resourcesOmitted: 0,
      illegalNames: 0,
      cut: false,
    });
  });

  it.each<[string, object]>([
    ['has no status yet', { metadata: { name: 'a' }, spec: {} }],
    ['has an empty status', { status: {} }],
    ['has empty parts', { status: { health: {}, sync: {}, summary: {} } }],
  ])('is empty when the Application %s', (_, app) => {
    expect(parseDigest(digestOf(app))).toEqual<Digest>({
      operationInformation: [],
      conditions: [],
      failedResources: [],
      resources: [],
      images: [],
      externalUrls: [],
      history: [],
      resourcesOmitted: 0,
      illegalNames: 0,
      cut: false,
    });
  });

  it('names the finalizers of an Application that is being deleted', () => {
    const finalizers = ['resources-finalizer.argocd.argoproj.io', 'other/one'];
    const deletionTimestamp = '2026-11-21T10:00:00Z';
    const deletionOf = (metadata: object) =>
      parseDigest(digestOf({ metadata, status: {} }))?.deletion;
    expect(deletionOf({ deletionTimestamp, finalizers })).toEqual({
      since: deletionTimestamp,
      finalizers,
    });
    expect(deletionOf({ deletionTimestamp })).toEqual({
      since: deletionTimestamp,
      finalizers: [],
    });
    expect(deletionOf({ finalizers })).toBeUndefined();
  });

  describe('with a source hydrator', () => {
    const sourceHydrator = {
      drySource: { repoURL: 'https://git.example/a', path: 'a' },
      syncSource: { targetBranch: 'env/prod', path: 'a' },
    };
    const source = {
      repoURL: 'https://git.example/a',
      path: 'a',
      targetRevision: 'env/prod',
    };
    const digest = (status: object) =>
      parseDigest(
        digestOf({
          spec: { sourceHydrator },
          status: {
            sync: { comparedTo: { source, destination: {} } },
            sourceHydrator: status,
          },
        }),
      );

    it('contains its operation and what it rendered last', () => {
      const read = digest({
        currentOperation: {
          phase: 'Failed',
          drySHA: 'd2',
          startedAt: '2026-11-21T10:00:00Z',
          message: `Failed to hydrate:\n${'x'.repeat(2_000)}`,
          sourceHydrator,
        },
        lastSuccessfulOperation: {
          drySHA: 'd1',
          hydratedSHA: 'h1',
          sourceHydrator,
        },
      });
      expect(read?.hydration).toEqual({
        phase: 'Failed',
        wantedDryRevision: 'd2',
        startedAt: '2026-11-21T10:00:00Z',
        message: `Failed to hydrate: ${'x'.repeat(1_580)}…`,
        dryRevision: 'd1',
        hydratedRevision: 'h1',
        equalsSpec: true,
      });
      // The spec has no source that this could equal.
      expect(read?.comparedTo).toEqual({ sources: [source], destination: {} });
    });

    it.each<[string, object]>([
      [
        'nothing was rendered yet',
        { currentOperation: { phase: 'Hydrating' } },
      ],
      [
        'another spec was rendered last',
        {
          lastSuccessfulOperation: {
            drySHA: 'd1',
            sourceHydrator: { ...sourceHydrator, drySource: {} },
          },
        },
      ],
    ])('says that %s', (_, status) => {
      expect(digest(status)?.hydration?.equalsSpec).toBe(false);
    });
  });

  it('contains the compared revision of each source of a multi-source Application', () => {
    const sources = [
      { repoURL: 'https://charts.example', chart: 'web', targetRevision: '1' },
      { repoURL: 'https://git.example/values', ref: 'values' },
    ];
    const destination = { name: 'in-cluster', namespace: 'web' };
    const revisions = ['1', revision];
    const app = {
      spec: { sources },
      status: { sync: { revisions, comparedTo: { sources, destination } } },
    };
    expect(parseDigest(digestOf(app))).toMatchObject({
      revisions,
      comparedTo: { sources, destination, equalsSpec: true },
    });
  });

  it.each<[string, object, readonly string[] | undefined]>([
    ['one revision', { sync: { revision } }, [revision]],
    ['several', { sync: { revisions: ['1', revision] } }, ['1', revision]],
    ['no revision', { sync: { prune: true } }, undefined],
    ['no input', {}, undefined],
  ])(
    'contains the revisions of a running operation: %s',
    (_, operation, expected) => {
      const running = { phase: 'Running', retryCount: 2, operation };
      const read = (operationState: object) =>
        parseDigest(digestOf({ status: { operationState } }))?.operation;
      expect(read(running)).toEqual({
        phase: 'Running',
        retries: 2,
        ...(expected && { revisions: expected }),
      });
      const ended = { ...running, phase: 'Failed' };
      expect(read(ended)).toEqual({ phase: 'Failed', retries: 2 });
    },
  );

  it('contains the last five syncs, newest first, with the revisions of each source', () => {
    const history = Array.from({ length: 7 }, (_, id) => ({
      id,
      deployedAt: `2026-11-21T1${id}:00:00Z`,
      ...(id < 6 ? { revision: `r${id}` } : { revisions: ['1.0.0', revision] }),
    }));
    expect(parseDigest(digestOf({ status: { history } }))?.history).toEqual([
      {
        id: 6,
        deployedAt: '2026-11-21T16:00:00Z',
        revisions: ['1.0.0', revision],
      },
      ...[5, 4, 3, 2].map(id => ({
        id,
        deployedAt: `2026-11-21T1${id}:00:00Z`,
        revision: `r${id}`,
      })),
    ]);
  });

  it('drops the history before errors, resources and images', () => {
    const status = {
      resources: manyResources(150),
      summary: { images: ['image'], externalURLs: ['https://example.com'] },
      history: [{ id: 0, revision }],
    };
    const kept = (length: number) => {
      const read = parseDigest(digestOf({ status }, length))!;
      return [read.resources, read.images, read.externalUrls, read.history].map(
        list => list.length,
      );
    };
    const whole = digestOf({ status }, DIGEST_LENGTH.max).length;
    expect(kept(whole)).toEqual([150, 1, 1, 1]);
    expect(kept(whole - 1)).toEqual([150, 1, 1, 0]);
  });

  it('reports that the Application contains no health of resources', () => {
    const status = { resourceHealthSource: 'appTree' };
    expect(parseDigest(digestOf({ status }))?.healthHidden).toBe(true);
    expect(parseDigest(digestOf({ status: {} }))?.healthHidden).toBeUndefined();
  });

  it('does not cut within a character', () => {
    const message = `${'x'.repeat(1_598)}😀😀😀`;
    const read = parseDigest(
      digestOf({ status: { operationState: { phase: 'Failed', message } } }),
    );
    expect(read?.operation?.message).toBe(`${'x'.repeat(1_598)}😀…`);
  });

  it.each<[string, object, boolean]>([
    ['nothing', {}, true],
    [
      'a Helm parameter',
      { helm: { parameters: [{ name: 'a', value: 'b' }] } },
      false,
    ],
    ['the revision', { targetRevision: 'v2' }, false],
  ])(
    'reports whether %s of the spec changed since the comparison',
    (_, change, whole) => {
      const app = application({ status: spokeStatus({}) });
      const source = { ...app.spec.source, ...change };
      const changed = { ...app, spec: { ...app.spec, source } };
      expect(parseDigest(digestOf(changed))?.comparedTo?.equalsSpec).toBe(
        whole,
      );
    },
  );

  it('lists unhealthy resources first and counts the omitted ones', () => {
    const resources = manyResources(2_000);
    const digest = digestOf({ status: { resources } });
    const read = parseDigest(digest);

    expect(characters(digest)).toBeLessThanOrEqual(DIGEST_LENGTH.default);
    expect(digest.split('\n').at(-1)).toBe(`x\t${read?.resourcesOmitted}`);
    expect(read?.cut).toBe(true);
    expect(read?.resources.slice(0, 20).map(r => r.health)).toEqual(
      Array(20).fill('Degraded'),
    );
    expect(read!.resources.length + read!.resourcesOmitted).toBe(2_000);
    expect(read!.resources.length).toBeGreaterThan(100);
  });

  it('limits a very long message so that other lines remain', () => {
    const app = application({
      status: {
        operationState: { phase: 'Failed', message: 'x'.repeat(100_000) },
        conditions: [{ type: 'SyncError', message: 'y'.repeat(100_000) }],
        resources: manyResources(3),
      },
    });
    const read = parseDigest(digestOf(app));
    expect(read?.operation?.message).toHaveLength(1_600);
    expect(read?.operation?.message).toMatch(/x…$/);
    expect(read?.conditions[0].message).toHaveLength(1_600);
    expect(read?.resources).toHaveLength(3);
    expect(read?.cut).toBe(false);
  });

  it.each([
    [0, DIGEST_LENGTH.min],
    [1_000_000, DIGEST_LENGTH.max],
  ])('clamps the length %d to %d', (length, bound) => {
    expect(digestExpression(length)).toBe(digestExpression(bound));
  });

  it.each([DIGEST_LENGTH.min, DIGEST_LENGTH.default, DIGEST_LENGTH.max])(
    'takes at most 3 KiB of each work, with a bound of %d characters',
    bound => {
      const stored = JSON.stringify(digestExpression(bound));
      expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(3 * 1_024);
    },
  );

  it('never exceeds its bound, and counts every resource', () => {
    fc.assert(
      fc.property(
        arbitraryApplication(),
        fc.constantFrom(1_000, 8_000, 30_000),
        (app, length) => {
          const digest = digestOf(app, length);
          expect(characters(digest)).toBeLessThanOrEqual(length);
          const read = parseDigest(digest)!;
          expect(read.resources.length + read.resourcesOmitted).toBe(
            app.status?.resources?.length ?? 0,
          );
        },
      ),
      { seed: SEED, numRuns: NUM_RUNS },
    );
  });

  it('is read equally with a memory of resources, which shares equal lists', () => {
    const resourcesIn = createResourceReader();
    fc.assert(
      fc.property(arbitraryApplication(), app => {
        const digest = digestOf(app, DIGEST_LENGTH.max);
        const read = parseDigest(digest, undefined, resourcesIn);
        expect(read).toEqual(parseDigest(digest));
        expect(parseDigest(digest, 'r', resourcesIn)?.resources).toBe(
          read?.resources,
        );
      }),
      { seed: SEED, numRuns: NUM_RUNS },
    );
  });

  it('is read back completely if nothing was cut', () => {
    fc.assert(
      fc.property(arbitraryApplication(), app => {
        const read = parseDigest(digestOf(app, DIGEST_LENGTH.max));
        fc.pre(read?.cut === false);
        expect(read).toEqual(expectedDigest(app, DIGEST_LENGTH.max));
      }),
      { seed: SEED, numRuns: NUM_RUNS },
    );
  });

  it('gives the content of its whole lines wherever it is truncated', () => {
    const whole = Buffer.from(
      digestOf(
        application({
          status: {
            ...spokeStatus({ health: 'Degraded' }),
            conditions: [{ type: 'SyncError', message: 'größer als erlaubt' }],
            resources: manyResources(4),
          },
        }),
      ),
    );
    const complete = parseDigest(whole.toString())!;
    const header = whole.indexOf('\n') + 1;
    for (let bytes = 0; bytes < header; bytes++) {
      expect(parseDigest(whole.subarray(0, bytes).toString())).toBeUndefined();
    }
    for (let bytes = header; bytes < whole.length; bytes++) {
      const read = parseDigest(whole.subarray(0, bytes).toString())!;
      expect(read.cut).toBe(true);
      expect(complete.conditions).toEqual(
        expect.arrayContaining([...read.conditions]),
      );
      expect(complete.resources.slice(0, read.resources.length)).toEqual(
        read.resources,
      );
      expect(read.resources.length + read.resourcesOmitted).toBe(4);
    }
  });
});

describe('a text that is not a digest', () => {
  it.each<[string, string | undefined]>([
    ['nothing', undefined],
    ['an empty message', ''],
    ['the error of an expression', 'no such key: status\nno such overload'],
    ['another version', 'argocd-fleet-digest/2\t0\n.'],
    ['a mark without the rest', 'argocd-fleet-digest/1'],
    ['a mark without its count', 'argocd-fleet-digest/1\n.'],
    ['a count that is not a number', 'argocd-fleet-digest/1\tten\n.'],
    ['a count that is too large', 'argocd-fleet-digest/1\t1e300\n.'],
    ['a count below zero', 'argocd-fleet-digest/1\t-1\n.'],
  ])('is not parsed: %s', (_, message) => {
    expect(parseDigest(message)).toBeUndefined();
  });
});

it.each(['1e999', '1e300', '-1', '1.5', '0x10', 'many', '9'.repeat(10)])(
  'ignores %s as a number of retries or the id of a sync, and reads the rest',
  number => {
    const message = [
      'argocd-fleet-digest/1\t0',
      `o\tFailed\t${number}\t\tquota`,
      `h\t${number}\t\t${revision}`,
      '.',
    ].join('\n');
    expect(parseDigest(message)).toMatchObject({
      operation: { phase: 'Failed', retries: 0, message: 'quota' },
      history: [{ id: 0, revision }],
    });
  },
);

describe('the condition ApplicationReady', () => {
  it.each([
    ['Healthy', 'Synced', true],
    ['Healthy', 'OutOfSync', false],
    ['Progressing', 'Synced', false],
  ])('of a %s, %s Application is %s', (health, sync, ready) => {
    const object = { status: spokeStatus({ health, sync }) };
    expect(evaluateRule(READY_EXPRESSION, object)).toBe(ready);
  });

  it('is false before there is a status', () => {
    expect(evaluateRule(READY_EXPRESSION, {})).toBe(false);
  });
});

function manyResources(count: number): ArgoResourceStatus[] {
  return Array.from({ length: count }, (_, index) => ({
    version: 'v1',
    kind: 'ConfigMap',
    namespace: 'guestbook',
    name: `settings-${index}`,
    status: 'Synced',
    ...(index >= count - 20 && { health: { status: 'Degraded' } }),
  }));
}

function arbitraryApplication(): fc.Arbitrary<ArgoApplication> {
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('', 'tab\tin', 'two\nlines', 'r\tfake', '\n.\n', '𐍈\t\n'),
    fc.string({ minLength: 500, maxLength: 3_000 }),
  );
  const optional = { requiredKeys: [] };
  const resource = fc.record(
    {
      group: word,
      version: word,
      kind: word,
      namespace: word,
      name: word,
      status: fc.constantFrom('Synced', 'OutOfSync', 'Unknown'),
      health: fc.record(
        { status: fc.constantFrom('Healthy', 'Degraded'), message: text },
        optional,
      ),
      requiresPruning: fc.constant(true),
      requiresDeletionConfirmation: fc.constant(true),
    },
    { requiredKeys: ['kind', 'name'] },
  );
  return fc
    .record(
      {
        health: fc.record({ status: word, message: text }, optional),
        sync: fc.record(
          {
            status: word,
            revision: word,
            comparedTo: fc.record({
              source: fc.record({ repoURL: text, path: text }),
              destination: fc.record({ namespace: word }, optional),
            }),
          },
          optional,
        ),
        operationState: fc.record(
          {
            phase: word,
            message: text,
            startedAt: word,
            operation: fc.record(
              {
                initiatedBy: fc.record({ username: word }),
                info: fc.array(fc.record({ name: word, value: text })),
              },
              optional,
            ),
          },
          optional,
        ),
        conditions: fc.array(fc.record({ type: word, message: text })),
        resources: fc.array(resource, { maxLength: 300, size: 'max' }),
        summary: fc.record(
          { images: fc.array(text), externalURLs: fc.array(text) },
          optional,
        ),
        history: fc.array(
          fc.record({
            id: fc.nat(999_999_999),
            deployedAt: word,
            revision: word,
          }),
        ),
      },
      optional,
    )
    .map(status => application({ status }));
}

/** The expected content of a digest, computed without CEL. */
function expectedDigest(app: ArgoApplication, length: number): Digest {
  const { health, sync, operationState, conditions, resources, summary } =
    app.status ?? {};
  const { history = [] } = app.status ?? {};
  const clean = (text: string | undefined) =>
    text?.replace(/[\t\n]/g, ' ') || undefined;
  const cut = (text = '', limit: number) =>
    clean(
      characters(text) > limit
        ? `${[...text].slice(0, limit - 1).join('')}…`
        : text,
    );
  const [long, short] = [Math.floor(length / 5), Math.floor(length / 16)];
  const { source, destination } = sync?.comparedTo ?? {};
  const hasNoProblem = ({ status, health: own }: ArgoResourceStatus) =>
    ['Synced', undefined].includes(status) &&
    ['Healthy', undefined].includes(own?.status);
  const listed = resources ?? [];
  const all = listed.filter(({ kind = '', name = '', ...more }) =>
    hasLegalNames({ ...more, kind, name }),
  );
  return JSON.parse(
    JSON.stringify({
      health: health?.status,
      sync: sync?.status,
      revision: sync?.revision,
      operation: operationState?.phase && {
        phase: operationState.phase,
        retries: 0,
        startedAt: operationState.startedAt,
        message: cut(operationState.message, long),
        startedBy: operationState.operation?.initiatedBy?.username,
      },
      operationInformation: (operationState?.operation?.info ?? []).map(
        ({ name, value }) => ({ name, value: cut(value, short) ?? '' }),
      ),
      comparedTo: source && {
        sources: [
          { repoURL: clean(source.repoURL) ?? '', path: clean(source.path) },
        ],
        destination,
        equalsSpec: JSON.stringify(source) === JSON.stringify(app.spec.source),
      },
      conditions: (conditions ?? []).map(({ type, message }) => ({
        type,
        message: cut(message, long) ?? '',
      })),
      failedResources: [],
      resources: [
        ...all.filter(resource => !hasNoProblem(resource)),
        ...all.filter(hasNoProblem),
      ].map(({ status, health: own, ...identity }) => ({
        ...identity,
        sync: status,
        health: own?.status,
        message: cut(own?.message, short),
      })),
      images: (summary?.images ?? []).map(image => clean(image) ?? ''),
      externalUrls: (summary?.externalURLs ?? []).map(url => clean(url) ?? ''),
      history: history.slice(-5).reverse(),
      resourcesOmitted: listed.length - all.length,
      illegalNames: listed.length - all.length,
      cut: false,
    }),
  );
}
