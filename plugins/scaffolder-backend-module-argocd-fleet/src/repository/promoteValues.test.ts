import { promoteValues } from './promoteValues';

const promote = (from: Record<string, string>, to: Record<string, string>) => {
  const { changes, files, ...rest } = promoteValues(
    new Map(Object.entries(from)),
    new Map(Object.entries(to)),
  );
  return { changes, files: Object.fromEntries(files), ...rest };
};

const deployment = (image: string, rest = '') =>
  `# Production.\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: shop }\nspec:\n    replicas: 12 # many\n    template:\n        spec:\n            containers:\n                - name: shop\n                  image: ${image}\n${rest}`;

describe('promoting the values of a folder', () => {
  it("moves a kustomization's images, and leaves everything else as it is written", () => {
    const { changes, files } = promote(
      {
        'kustomization.yaml':
          'images:\n- name: shop\n  newName: r/shop\n  newTag: "1.10"\n- name: proxy\n  newTag: 2.0.0\nreplicas:\n- name: shop\n  count: 1\n',
      },
      {
        'kustomization.yaml':
          "# Production: many.\nresources: [../base]\nimages:\n  - name: proxy   # beside it\n    newTag: '1.9.0'\n  - name: shop\n    newName: r/shop\n    newTag: 1.9 # checked\nreplicas:\n  - name: shop\n    count: 12\n",
      },
    );
    expect(changes).toEqual([
      {
        file: 'kustomization.yaml',
        what: 'image shop',
        before: 'r/shop:1.9',
        after: 'r/shop:1.10',
      },
      {
        file: 'kustomization.yaml',
        what: 'image proxy',
        before: 'proxy:1.9.0',
        after: 'proxy:2.0.0',
      },
    ]);
    expect(files['kustomization.yaml']).toBe(
      '# Production: many.\nresources: [../base]\nimages:\n  - name: proxy   # beside it\n    newTag: \'2.0.0\'\n  - name: shop\n    newName: r/shop\n    newTag: "1.10" # checked\nreplicas:\n  - name: shop\n    count: 12\n',
    );
  });

  it('adds an image that is new, and changes a tag into a digest', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const { changes, files } = promote(
      {
        'kustomization.yml': `images:\n- name: shop\n  digest: ${digest}\n- name: new\n  newTag: v1\n`,
      },
      {
        'kustomization.yaml':
          '# Production.\nimages:\n  - name: shop\n    newTag: v1\n  - name: own\n    newTag: v7\n',
      },
    );
    expect(changes.map(({ what, before }) => [what, before])).toEqual([
      ['image shop', 'shop:v1'],
      ['image new', ''],
    ]);
    expect(files['kustomization.yaml']).toBe(
      `# Production.\nimages:\n  - name: shop\n    digest: ${digest}\n  - name: own\n    newTag: v7\n  - name: new\n    newTag: v1\n`,
    );
    expect(
      promote(
        { 'kustomization.yaml': 'images: [{ name: shop, newTag: v2 }]\n' },
        { 'kustomization.yaml': 'resources:\n  - ../base\n' },
      ).files,
    ).toEqual({
      'kustomization.yaml':
        'resources:\n  - ../base\nimages:\n  - name: shop\n    newTag: v2\n',
    });
  });

  it('moves the images of containers of the same manifest, wherever its file is', () => {
    const job =
      '---\napiVersion: batch/v1\nkind: CronJob\nmetadata: { name: report }\nspec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: job, image: job:1 }] } } } } }\n';
    const { changes, files } = promote(
      { 'all.yaml': deployment('shop:2', job.replace('job:1', '"job:2"')) },
      {
        'shop.yaml': deployment('shop:1'),
        'job.yaml': `${job}---\nkind: ConfigMap\napiVersion: v1\nmetadata: { name: image }\n`,
      },
    );
    expect(changes).toEqual([
      {
        file: 'job.yaml',
        what: 'image of CronJob report, container job',
        ...{ before: 'job:1', after: 'job:2' },
      },
      {
        file: 'shop.yaml',
        what: 'image of Deployment shop, container shop',
        ...{ before: 'shop:1', after: 'shop:2' },
      },
    ]);
    expect(files['shop.yaml']).toBe(deployment('shop:2'));
    expect(files['job.yaml']).toContain('image: job:2 }]');
  });

  it("moves the images of Helm values, and the versions of a chart's dependencies", () => {
    const { changes, files } = promote(
      {
        'Chart.yaml':
          'name: shop\nversion: 0.2.0\nappVersion: "2.0"\ndependencies:\n  - name: redis\n    version: 19.0.1\n',
        'values.yaml':
          'replicas: 1\nimage:\n  repository: r/shop\n  tag: "2.0"\nworker: { image: "r/worker:2" }\n',
        'templates/all.yaml': '{{- range }}',
      },
      {
        'Chart.yaml':
          'name: shop\nversion: 0.1.0\nappVersion: "1.0"\ndependencies:\n  - name: redis\n    version: ~18\n',
        'values.yaml':
          'replicas: 9\nimage:\n  repository: r/shop\n  tag: "1.0"\nworker: { image: "r/worker:1" }\nown: { image: r/own:7 }\n',
        'templates/all.yaml': '{{- range }}',
      },
    );
    expect(changes.map(({ what, after }) => [what, after])).toEqual([
      ['appVersion', '2.0'],
      ['chart redis', '19.0.1'],
      ['image.tag in values.yaml', '2.0'],
      ['worker.image in values.yaml', 'r/worker:2'],
    ]);
    expect(files).toEqual({
      'Chart.yaml':
        'name: shop\nversion: 0.1.0\nappVersion: "2.0"\ndependencies:\n  - name: redis\n    version: 19.0.1\n',
      'values.yaml':
        'replicas: 9\nimage:\n  repository: r/shop\n  tag: "2.0"\nworker: { image: "r/worker:2" }\nown: { image: r/own:7 }\n',
    });
  });

  it('says that nothing differs, that nothing can be compared, and what cannot be read', () => {
    const same = { 'shop.yaml': deployment('shop:1') };
    expect(promote(same, same)).toEqual({
      ...{ changes: [], files: {}, compared: 1, unreadable: [] },
    });
    expect(
      promote(
        { 'shop.yaml': deployment('shop:2') },
        {
          'broken.yaml': 'a: [1\n',
          'other.yaml': deployment('x:1').replace('name: shop', 'name: other'),
        },
      ),
    ).toEqual({
      ...{ changes: [], files: {}, compared: 0 },
      unreadable: [expect.stringMatching(/^broken.yaml: Flow sequence/)],
    });
  });

  it.each([
    '"x\\nkind: Role"',
    '"a, admin: true"',
    '"{}"',
    '"[a]"',
    '"x\\u2028"',
  ])(
    'moves nothing that is neither an image nor a version, such as %s',
    text => {
      const target = { 'values.yaml': 'a: { image: b:1 }\n', 'Chart.yaml': '' };
      const source = { ...target, 'values.yaml': `a: { image: ${text} }\n` };
      expect(promote(source, target)).toMatchObject({
        files: {},
        unreadable: [
          'values.yaml: a.image in values.yaml is neither an image nor a version',
        ],
      });
    },
  );

  it('keeps a range of versions, and what looks like another type, as text', () => {
    const chart = (version: string) => ({
      'Chart.yaml': `dependencies: [{ name: redis, version: ${version} }]\n`,
    });
    for (const [written, expected] of [
      ['">=1.2 <2"', '">=1.2 <2"'],
      ['"1e3"', '"1e3"'],
      ['1.10', '"1.10"'],
      ["'yes'", 'yes'],
    ]) {
      expect(promote(chart(written), chart('0.1.0')).files).toEqual(
        chart(expected),
      );
    }
  });
});
