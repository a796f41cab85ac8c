import { DeclareCase } from '../contractCase';
import { HubUnderTest, JSON_PATCH, WIDGETS } from '../hubUnderTest';
import { widget } from '../testObjects';

export function schemaCases(contractCase: DeclareCase, hub: HubUnderTest) {
  /** The stored spec of a new widget. */
  const storedSpec = async (name: string, spec: object) =>
    (await hub.create(WIDGETS, widget(spec, { name }))).spec;

  contractCase('sets defaults', async () => {
    expect(await storedSpec('defaults', {})).toEqual({
      title: 'abc',
      replicas: 1,
      nick: 'nick',
    });
  });

  contractCase('sets defaults in list items', async () => {
    expect(
      await storedSpec('item-defaults', { parts: [{ name: 'a' }] }),
    ).toHaveProperty('parts', [{ name: 'a', count: 1 }]);
  });

  contractCase(
    'replaces a null by the default if the field is not nullable',
    async () => {
      expect(await storedSpec('null-default', { nick: null })).toHaveProperty(
        'nick',
        'nick',
      );
    },
  );

  contractCase(
    'drops a null without a default if the field is not nullable',
    async () => {
      expect(
        await storedSpec('null-dropped', { color: null }),
      ).not.toHaveProperty('color');
    },
  );

  contractCase('keeps a null if the field is nullable', async () => {
    expect(await storedSpec('null-kept', { note: null })).toHaveProperty(
      'note',
      null,
    );
  });

  contractCase('prunes unknown fields', async () => {
    const spec = {
      unknown: 1,
      parts: [{ name: 'a', count: 2, unknown: 1 }],
      options: { a: '1' },
    };
    expect(await storedSpec('pruned', spec)).toEqual({
      title: 'abc',
      replicas: 1,
      nick: 'nick',
      parts: [{ name: 'a', count: 2 }],
      options: { a: '1' },
    });
  });

  contractCase('prunes unknown fields beside the spec', async () => {
    const body = await hub.create(WIDGETS, {
      ...widget({}, { name: 'root-pruned' }),
      extra: 1,
    });
    expect(body).not.toHaveProperty('extra');
  });

  contractCase('prunes unknown metadata', async () => {
    const { metadata } = await hub.create(
      WIDGETS,
      widget({}, { name: 'meta-pruned', unknown: 'x' }),
    );
    expect(metadata).not.toHaveProperty('unknown');
  });

  contractCase(
    'keeps unknown fields with x-kubernetes-preserve-unknown-fields',
    async () => {
      const free = { any: { thing: [1, null, 'x'] } };
      expect(await storedSpec('free', { free })).toHaveProperty('free', free);
    },
  );

  contractCase('keeps all fields of an embedded object', async () => {
    const template = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', labels: { a: 'b' } },
      data: { a: 'b' },
    };
    expect(await storedSpec('embedded', { template })).toHaveProperty(
      'template',
      template,
    );
  });

  contractCase('prunes unknown metadata of an embedded object', async () => {
    const template = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', unknown: 'y' },
    };
    expect(await storedSpec('embedded-pruned', { template })).toHaveProperty(
      'template.metadata',
      { name: 'x' },
    );
  });

  contractCase(
    'accepts integers and strings for x-kubernetes-int-or-string',
    async () => {
      expect(await storedSpec('port-1', { port: 80 })).toHaveProperty(
        'port',
        80,
      );
      expect(await storedSpec('port-2', { port: 'http' })).toHaveProperty(
        'port',
        'http',
      );
    },
  );

  contractCase(
    'accepts an object that matches exactly one schema of oneOf',
    async () => {
      const contact = { phone: '1' };
      expect(await storedSpec('contact', { contact })).toHaveProperty(
        'contact',
        contact,
      );
    },
  );

  contractCase('warns about unknown fields', async () => {
    const { status, headers } = await hub.call(
      'POST',
      WIDGETS,
      widget({ colour: 'red' }, { name: 'warned' }),
    );
    expect(status).toBe(201);
    expect(headers.warning).toBe('299 - "unknown field \\"spec.colour\\""');
  });

  contractCase(
    'does not warn about unknown fields with fieldValidation=Ignore',
    async () => {
      const { status, headers } = await hub.call(
        'POST',
        `${WIDGETS}?fieldValidation=Ignore`,
        widget({ colour: 'red' }, { name: 'not-warned' }),
      );
      expect(status).toBe(201);
      expect(headers.warning).toBeUndefined();
    },
  );

  contractCase('enforces a transition rule', async () => {
    await hub.create(WIDGETS, widget({ owner: 'me' }, { name: 'owned' }));
    const { status, body } = await hub.call(
      'PATCH',
      `${WIDGETS}/owned`,
      [{ op: 'replace', path: '/spec/owner', value: 'you' }],
      JSON_PATCH,
    );
    expect(status).toBe(422);
    expect(body.details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'spec.owner',
        message: expect.stringMatching(/owner is immutable$/),
      },
    ]);
  });

  contractCase('accepts an update that a transition rule allows', async () => {
    await hub.create(WIDGETS, widget({ owner: 'me' }, { name: 'still-owned' }));
    const { spec: after } = await hub.merge(`${WIDGETS}/still-owned`, {
      spec: { size: 5 },
    });
    expect(after).toMatchObject({ owner: 'me', size: 5 });
  });

  contractCase(
    'accepts an object that satisfies a rule over two fields',
    async () => {
      const range = { from: 1, to: 1 };
      expect(await storedSpec('range', { range })).toHaveProperty(
        'range',
        range,
      );
    },
  );

  contractCase('keeps large and fractional numbers unchanged', async () => {
    const free = { large: 9007199254740991, fraction: 0.1 };
    expect(await storedSpec('numbers', { free })).toHaveProperty('free', free);
  });
}
