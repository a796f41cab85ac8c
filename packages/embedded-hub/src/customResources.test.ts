import { pollUntil } from 'apimachinery';
import { StructuralSchema } from './schema/structuralSchema';
import { startTestHub, TestHub } from './__testUtils__/testHub';
import { watch } from './__testUtils__/watcher';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const MERGE = { 'content-type': 'application/merge-patch+json' };

function definition(spec: StructuralSchema, version: object = {}): object {
  return {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', shortNames: ['wd'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec } },
          },
          ...version,
        },
      ],
    },
  };
}

describe('custom resources defined at run time', () => {
  let hub: TestHub;

  beforeEach(async () => {
    hub = await startTestHub();
  });

  afterEach(() => hub.stop());

  const createWidget = (spec: object) =>
    hub.call('POST', WIDGETS, { metadata: { name: 'a' }, spec });

  it('are served from the creation of the definition to its deletion', async () => {
    expect((await hub.call('GET', WIDGETS)).status).toBe(404);
    const crd = await hub.create(CRDS, definition({ type: 'object' }));
    expect(crd).toMatchObject({
      metadata: {
        generation: 1,
        finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
      },
      status: {
        acceptedNames: { kind: 'Widget', listKind: 'WidgetList' },
        storedVersions: ['v1'],
        conditions: [
          { type: 'NamesAccepted', status: 'True' },
          { type: 'Established', status: 'True' },
        ],
      },
    });
    await createWidget({});
    const discovery = await hub.call('GET', '/apis/example.com/v1');
    expect(discovery.body.resources).toMatchObject([
      { name: 'widgets', kind: 'Widget', namespaced: true, shortNames: ['wd'] },
    ]);
    const watcher = await watch(hub, `${WIDGETS}?watch=1&resourceVersion=0`);
    await watcher.until(1);
    await hub.call('DELETE', `${CRDS}/widgets.example.com`);
    await watcher.ended;
    expect(watcher.texts).toEqual(['ADDED a', 'DELETED a']);
    expect((await hub.call('GET', WIDGETS)).status).toBe(404);
    expect((await hub.call('GET', '/apis/example.com')).status).toBe(404);
  });

  it('are served until their last finalizer is removed when the definition is deleted', async () => {
    await hub.create(CRDS, definition({ type: 'object' }));
    await hub.create(WIDGETS, {
      metadata: { name: 'a', finalizers: ['example.com/hold'] },
    });
    await hub.call('DELETE', `${CRDS}/widgets.example.com`);
    await pollUntil(
      () => hub.call('GET', `${WIDGETS}/a`),
      answer => answer.body.metadata.deletionTimestamp !== undefined,
    );
    await hub.call(
      'PATCH',
      `${WIDGETS}/a`,
      { metadata: { finalizers: null } },
      MERGE,
    );
    const answer = await pollUntil(
      () => hub.call('GET', WIDGETS),
      ({ status }) => status === 404,
    );
    expect(answer.text).toBe('404 page not found\n');
  });

  it('use a changed definition', async () => {
    const crd = await hub.create(
      CRDS,
      definition({ type: 'object', properties: { a: { type: 'string' } } }),
    );
    const changed = definition({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    });
    await hub.call('PUT', `${CRDS}/widgets.example.com`, {
      ...changed,
      metadata: crd.metadata,
    });
    const { body } = await createWidget({ a: 'x', b: 'y' });
    expect(body.spec).toEqual({ a: 'x', b: 'y' });
  });

  it.each<[string, StructuralSchema, object, object]>([
    [
      'drop unknown fields, at any depth',
      {
        type: 'object',
        properties: {
          known: { type: 'object', properties: { a: { type: 'string' } } },
          items: {
            type: 'array',
            items: { type: 'object', properties: { a: { type: 'string' } } },
          },
        },
      },
      { known: { a: 'x', b: 'y' }, other: 1, items: [{ a: 'x', b: 'y' }] },
      { known: { a: 'x' }, items: [{ a: 'x' }] },
    ],
    [
      'keep unknown fields where that is declared, but prune inside specified fields',
      {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: {
          known: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
      { known: { a: 'x', b: 'y' }, other: { deep: 1 } },
      { known: { a: 'x' }, other: { deep: 1 } },
    ],
    [
      'keep all keys of a map',
      {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { a: { type: 'string' } },
        },
      },
      { one: { a: 'x', b: 'y' }, two: {} },
      { one: { a: 'x' }, two: {} },
    ],
    [
      'keep the whole of an embedded resource',
      {
        type: 'object',
        properties: {
          object: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      },
      {
        object: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, y: 1 },
      },
      {
        object: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, y: 1 },
      },
    ],
    [
      'get defaults, also inside defaults and lists',
      {
        type: 'object',
        properties: {
          size: { type: 'integer', default: 3 },
          nothing: { type: 'string', nullable: true, default: 'x' },
          null: { type: 'string', default: 'x' },
          outer: {
            type: 'object',
            default: {},
            properties: { inner: { type: 'string', default: 'y' } },
          },
          items: {
            type: 'array',
            items: {
              type: 'object',
              properties: { kind: { type: 'string', default: 'z' } },
            },
          },
        },
      },
      { nothing: null, null: null, items: [{}] },
      {
        size: 3,
        nothing: null,
        null: 'x',
        outer: { inner: 'y' },
        items: [{ kind: 'z' }],
      },
    ],
    [
      'accept numbers and strings for int-or-string',
      {
        type: 'object',
        properties: {
          a: { 'x-kubernetes-int-or-string': true },
          b: {
            anyOf: [{ type: 'integer' }, { type: 'string' }],
            'x-kubernetes-int-or-string': true,
          },
        },
      },
      { a: 5, b: '50%' },
      { a: 5, b: '50%' },
    ],
  ])('%s', async (_what, schema, sent, stored) => {
    await hub.create(CRDS, definition(schema));
    const { status, body } = await createWidget(sent);
    expect(status).toBe(201);
    expect(body.spec).toEqual(stored);
  });

  describe('with CEL rules', () => {
    beforeEach(() =>
      hub.create(
        CRDS,
        definition({
          type: 'object',
          properties: {
            min: { type: 'integer' },
            max: { type: 'integer' },
            fixed: {
              type: 'string',
              'x-kubernetes-validations': [
                { rule: 'self == oldSelf', message: 'fixed cannot change' },
              ],
            },
          },
          'x-kubernetes-validations': [
            {
              rule: 'self.min <= self.max',
              messageExpression: `'min ' + string(self.min) + ' is above max'`,
            },
          ],
        }),
      ),
    );

    it('are rejected with the message of the rule', async () => {
      const { status, body } = await createWidget({
        min: 2,
        max: 1,
        fixed: 'a',
      });
      expect(status).toBe(422);
      expect(body.message).toContain('spec: Invalid value: min 2 is above max');
    });

    it('are compared with the old object', async () => {
      expect((await createWidget({ min: 1, max: 2, fixed: 'a' })).status).toBe(
        201,
      );
      const { body } = await hub.call(
        'PATCH',
        `${WIDGETS}/a`,
        { spec: { fixed: 'b' } },
        MERGE,
      );
      expect(body.message).toContain(
        'spec.fixed: Invalid value: "b": fixed cannot change',
      );
    });

    it('cannot be defined with a rule that cannot be compiled', async () => {
      const { status, body } = await hub.call('POST', CRDS, {
        ...definition({
          type: 'object',
          'x-kubernetes-validations': [{ rule: 'self.(' }],
        }),
      });
      expect(status).toBe(422);
      expect(body.message).toContain('compilation failed');
    });
  });

  it('are stored once and served in each version', async () => {
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
    };
    await hub.create(CRDS, {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [
          { name: 'v1beta1', served: true, storage: false, schema },
          { name: 'v1', served: true, storage: true, schema },
        ],
      },
    });
    const beta = WIDGETS.replace('v1', 'v1beta1');
    await hub.create(beta, { metadata: { name: 'a' }, spec: { a: 'x' } });
    const { body } = await hub.call('GET', `${WIDGETS}/a`);
    expect(body.apiVersion).toBe('example.com/v1');
    const old = await hub.call('GET', `${beta}/a`);
    expect(old.body.apiVersion).toBe('example.com/v1beta1');
    const group = await hub.call('GET', '/apis/example.com');
    expect(group.body.preferredVersion).toEqual({
      groupVersion: 'example.com/v1',
      version: 'v1',
    });
  });

  it('of a deprecated version have a warning in each response', async () => {
    await hub.create(
      CRDS,
      definition(
        { type: 'object' },
        { deprecated: true, deprecationWarning: 'use v2' },
      ),
    );
    const { headers } = await hub.call('GET', WIDGETS);
    expect(headers.get('warning')).toBe('299 - "use v2"');
  });
});
