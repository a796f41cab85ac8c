import { DeclareCase } from '../contractCase';
import {
  CONFIG_MAPS,
  HubUnderTest,
  JSON_PATCH,
  MERGE,
  NAMESPACE,
  STRATEGIC,
  WIDGETS,
} from '../hubUnderTest';
import { configMap, widget } from '../testObjects';

const SPEC = {
  title: 'abc',
  replicas: 1,
  nick: 'nick',
  steps: [{ run: 'a' }, { run: 'b' }],
  options: { x: '1' },
};

/** Title, patch type, patch, and the spec after it. */
const PATCHES: readonly [
  title: string,
  type: { readonly 'content-type': string },
  patch: unknown,
  spec: object,
][] = [
  [
    'a merge patch adds a field',
    MERGE,
    { spec: { size: 2 } },
    { ...SPEC, size: 2 },
  ],
  [
    'a merge patch removes a field with null',
    MERGE,
    { spec: { options: null } },
    { title: 'abc', replicas: 1, nick: 'nick', steps: SPEC.steps },
  ],
  [
    'a merge patch merges maps',
    MERGE,
    { spec: { options: { y: '2' } } },
    { ...SPEC, options: { x: '1', y: '2' } },
  ],
  [
    'a merge patch replaces lists',
    MERGE,
    { spec: { steps: [{ run: 'c' }] } },
    { ...SPEC, steps: [{ run: 'c' }] },
  ],
  [
    'a merge patch that removes a default restores it',
    MERGE,
    { spec: { replicas: null } },
    SPEC,
  ],
  ['an empty merge patch changes nothing', MERGE, {}, SPEC],
  [
    'a JSON patch adds to a list',
    JSON_PATCH,
    [{ op: 'add', path: '/spec/steps/-', value: { run: 'c' } }],
    { ...SPEC, steps: [...SPEC.steps, { run: 'c' }] },
  ],
  [
    'a JSON patch inserts into a list',
    JSON_PATCH,
    [{ op: 'add', path: '/spec/steps/0', value: { run: 'c' } }],
    { ...SPEC, steps: [{ run: 'c' }, ...SPEC.steps] },
  ],
  [
    'a JSON patch removes from a list',
    JSON_PATCH,
    [{ op: 'remove', path: '/spec/steps/0' }],
    { ...SPEC, steps: [{ run: 'b' }] },
  ],
  [
    'a JSON patch replaces a value',
    JSON_PATCH,
    [{ op: 'replace', path: '/spec/options/x', value: '9' }],
    { ...SPEC, options: { x: '9' } },
  ],
  [
    'a JSON patch replaces a missing value',
    JSON_PATCH,
    [{ op: 'replace', path: '/spec/options/z', value: '9' }],
    { ...SPEC, options: { x: '1', z: '9' } },
  ],
  [
    'a JSON patch moves a value',
    JSON_PATCH,
    [{ op: 'move', from: '/spec/options/x', path: '/spec/options/y' }],
    { ...SPEC, options: { y: '1' } },
  ],
  [
    'a JSON patch copies a value',
    JSON_PATCH,
    [{ op: 'copy', from: '/spec/options/x', path: '/spec/options/y' }],
    { ...SPEC, options: { x: '1', y: '1' } },
  ],
  [
    'a JSON patch continues after a successful test',
    JSON_PATCH,
    [
      { op: 'test', path: '/spec/title', value: 'abc' },
      { op: 'add', path: '/spec/size', value: 3 },
    ],
    { ...SPEC, size: 3 },
  ],
];

export function patchCases(contractCase: DeclareCase, hub: HubUnderTest) {
  PATCHES.forEach(([title, type, patch, expected], index) => {
    contractCase(title, async () => {
      const name = `patched-${index}`;
      await hub.create(WIDGETS, widget(SPEC, { name }));
      const response = await hub.call(
        'PATCH',
        `${WIDGETS}/${name}`,
        patch,
        type,
      );
      expect(response.status).toBe(200);
      expect(response.body.spec).toEqual(expected);
    });
  });

  contractCase('a JSON patch unescapes keys', async () => {
    await hub.create(CONFIG_MAPS, configMap('escaped'));
    const { body } = await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/escaped`,
      [
        { op: 'add', path: '/metadata/labels', value: {} },
        { op: 'add', path: '/metadata/labels/a.example~1b', value: 'c' },
      ],
      JSON_PATCH,
    );
    expect(body.metadata.labels).toEqual({ 'a.example/b': 'c' });
  });

  contractCase('a JSON patch is atomic', async () => {
    await hub.create(CONFIG_MAPS, { ...configMap('whole'), data: { a: '1' } });
    const { status } = await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/whole`,
      [
        { op: 'add', path: '/data/b', value: '2' },
        { op: 'test', path: '/data/a', value: 'other' },
      ],
      JSON_PATCH,
    );
    expect(status).toBe(422);
    const { body } = await hub.get(`${CONFIG_MAPS}/whole`);
    expect(body.data).toEqual({ a: '1' });
  });

  contractCase('a strategic merge patch merges maps', async () => {
    await hub.create(CONFIG_MAPS, {
      ...configMap('strategic'),
      data: { a: '1' },
    });
    const { status, body } = await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/strategic`,
      { data: { b: '2' } },
      STRATEGIC,
    );
    expect(status).toBe(200);
    expect(body.data).toEqual({ a: '1', b: '2' });
  });

  contractCase(
    'a strategic merge patch replaces with a directive',
    async () => {
      await hub.create(CONFIG_MAPS, {
        ...configMap('replaced-all'),
        data: { a: '1' },
      });
      const { body } = await hub.call(
        'PATCH',
        `${CONFIG_MAPS}/replaced-all`,
        { data: { $patch: 'replace', b: '2' } },
        STRATEGIC,
      );
      expect(body.data).toEqual({ b: '2' });
    },
  );

  contractCase('a strategic merge patch merges lists by key', async () => {
    const accounts = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
    await hub.create(accounts, {
      ...configMap('keyed'),
      secrets: [{ name: 'a' }, { name: 'b' }],
    });
    const { body } = await hub.call(
      'PATCH',
      `${accounts}/keyed`,
      { secrets: [{ name: 'c' }, { $patch: 'delete', name: 'a' }] },
      STRATEGIC,
    );
    expect(
      (body.secrets as { name: string }[]).map(({ name }) => name).sort(),
    ).toEqual(['b', 'c']);
  });

  contractCase('a strategic merge patch removes list items', async () => {
    await hub.create(
      CONFIG_MAPS,
      configMap('unheld', { finalizers: ['a.example/a', 'a.example/b'] }),
    );
    const { body } = await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/unheld`,
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a.example/a'] } },
      STRATEGIC,
    );
    expect(body.metadata.finalizers).toEqual(['a.example/b']);
    await hub.merge(`${CONFIG_MAPS}/unheld`, {
      metadata: { finalizers: null },
    });
  });

  contractCase('a patch with unknown fields returns a warning', async () => {
    await hub.create(WIDGETS, widget({}, { name: 'warned-patch' }));
    const { status, headers } = await hub.call(
      'PATCH',
      `${WIDGETS}/warned-patch`,
      { spec: { colour: 'red' } },
      MERGE,
    );
    expect(status).toBe(200);
    expect(headers.warning).toBe('299 - "unknown field \\"spec.colour\\""');
  });
}
