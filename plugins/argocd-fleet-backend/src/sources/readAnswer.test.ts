import { readAnswer } from './readAnswer';

const NOW = Date.parse('2026-11-21T12:00:00Z');

const application = { namespace: 'argocd', name: 'app' };
const good = { application, conditions: [] };

const request = {
  hub: 'hub',
  applications: ['c1', 'c2'].map(cluster => ({
    application,
    onCluster: application,
    cluster,
  })),
  signal: new AbortController().signal,
};

const read = (answer: unknown) => readAnswer('index', request, answer, NOW);

describe('the answer of a source', () => {
  it('is used unchanged if it is valid', () => {
    const answer = { details: [good], incomplete: ['c1'], findings: [] };
    expect(read(answer)).toBe(answer);
  });

  it('is cut, and shown without secrets of URLs', () => {
    const messages = [
      'x'.repeat(200_000),
      '\u202Ehttps://user:hunter2@git.example/x',
    ];
    const [details] = read({
      details: messages.map(message => ({
        application,
        conditions: [{ type: 'SyncError', message }],
        resources: [{ kind: 'Service', name: 'web', message }],
      })),
    }).details;
    expect(details.conditions?.[0].message).toMatch(/x… \[cut\]$/);
    expect(details.resources?.[0].message).toMatch(/x… \[cut\]$/);
    expect(
      JSON.stringify(
        read({
          details: [
            {
              application,
              conditions: [{ type: 'SyncError', message: messages[1] }],
            },
          ],
        }),
      ),
    ).toContain('"\uFFFDhttps://git.example/x"');
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'details'],
    ['nothing', undefined],
    ['without application', { conditions: [] }],
    ['of an Application without name', { application: { namespace: 'a' } }],
    ['of one without namespace', { application: { name: 'a' } }],
    [
      'of one whose name is a number',
      { application: { ...application, name: 7 } },
    ],
    [
      'of one whose name is empty',
      { application: { ...application, name: '' } },
    ],
  ])('loses only the details that are %s', (_, broken) => {
    const finding = { code: 'X', severity: 'info', title: 't', message: 'm' };
    const { details, incomplete, findings } = read({
      details: [broken, good, broken],
      incomplete: ['c1'],
      findings: [finding],
    });
    expect(details).toEqual([good]);
    // They could belong to any Application.
    expect(incomplete).toEqual(['c1', 'c2']);
    expect(findings).toMatchObject([
      finding,
      {
        code: 'AFC-438',
        severity: 'warning',
        message: expect.stringContaining('2 of the details'),
        evidence: String(JSON.stringify(broken)),
      },
    ]);
  });

  it.each(
    ['..', 'a/../b', 'a%2fb', 'a?b', '-rf', 'a\u202Eb', 'x'.repeat(10_000)].map(
      evil => [evil.slice(0, 30), evil],
    ),
  )('leaves out what a cluster names %j, alone, and counts it', (_, evil) => {
    const web = {
      kind: 'Service',
      version: 'v1',
      namespace: 'demo',
      name: 'web',
    };
    const broken = [
      { ...web, name: evil },
      { ...web, namespace: evil },
      { ...web, kind: evil },
      { ...web, group: evil },
      { ...web, version: evil },
    ];
    const { details, findings } = read({
      details: [
        { application, resources: [web, ...broken], resourcesOmitted: 2 },
        { application: { ...application, name: evil } },
      ],
    });
    expect(details).toEqual([
      { application, resources: [web], resourcesOmitted: 7 },
    ]);
    expect(findings).toMatchObject([{ code: 'AFC-438' }]);
  });

  it('counts a time in the future as that of the answer', () => {
    const at = (observedAt: string) => ({ ...good, observedAt });
    const { details } = read({
      details: [at('2099-01-01T00:00:00Z'), at('2026-11-21T11:59:59Z')],
    });
    expect(details).toEqual([
      at('2026-11-21T12:00:00.000Z'),
      at('2026-11-21T11:59:59Z'),
    ]);
  });

  it.each([undefined, null, 7, [], {}, { details: null }, { details: {} }])(
    'is rejected: %j',
    answer => {
      expect(() => read(answer)).toThrow('without a list of details');
    },
  );
});
