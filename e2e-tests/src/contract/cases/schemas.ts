import { DeclareCase } from '../contractCase';
import { HubUnderTest, JSON_PATCH, WIDGETS } from '../hubUnderTest';
import { widget } from '../testObjects';

export function schemaCases(contractCase: DeclareCase, hub: HubUnderTest) {
  const spec = async (name: string, given: object, path = WIDGETS) =>
    (await hub.create(path, widget(given, { name }))).spec;

  contractCase('fills in defaults', async () => {
    expect(await spec('defaults', {})).toEqual({
      title: 'abc',
      replicas: 1,
      nick: 'nick',
    });
  });

  contractCase('fills in defaults of list items', async () => {
    expect(
      await spec('item-defaults', { parts: [{ name: 'a' }] }),
    ).toHaveProperty('parts', [{ name: 'a', count: 1 }]);
  });

  contractCase('gives a default for a null that may not be', async () => {
    expect(await spec('null-default', { nick: null })).toHaveProperty(
      'nick',
      'nick',
    );
  });

  contractCase('drops a null that may not be', async () => {
    expect(await spec('null-dropped', { color: null })).not.toHaveProperty(
      'color',
    );
  });

  contractCase('keeps a null that may be', async () => {
    expect(await spec('null-kept', { note: null })).toHaveProperty(
      'note',
      null,
    );
  });

  contractCase('prunes what the schema does not know', async () => {
    const given = {
      unknown: 1,
      parts: [{ name: 'a', count: 2, unknown: 1 }],
      options: { a: '1' },
    };
    expect(await spec('pruned', given)).toEqual({
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

  contractCase('keeps unknown fields where they are welcome', async () => {
    const free = { any: { thing: [1, null, 'x'] } };
    expect(await spec('free', { free })).toHaveProperty('free', free);
  });

  contractCase('keeps an embedded object whole', async () => {
    const template = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', labels: { a: 'b' } },
      data: { a: 'b' },
    };
    expect(await spec('embedded', { template })).toHaveProperty(
      'template',
      template,
    );
  });

  contractCase('prunes an embedded object’s metadata', async () => {
    const template = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', unknown: 'y' },
    };
    expect(await spec('embedded-pruned', { template })).toHaveProperty(
      'template.metadata',
      { name: 'x' },
    );
  });

  contractCase('takes integers and strings as a port', async () => {
    expect(await spec('port-1', { port: 80 })).toHaveProperty('port', 80);
    expect(await spec('port-2', { port: 'http' })).toHaveProperty(
      'port',
      'http',
    );
  });

  contractCase('takes any way to contact, but one', async () => {
    const contact = { phone: '1' };
    expect(await spec('contact', { contact })).toHaveProperty(
      'contact',
      contact,
    );
  });

  contractCase('warns of unknown fields', async () => {
    const { status, headers } = await hub.call(
      'POST',
      WIDGETS,
      widget({ colour: 'red' }, { name: 'warned' }),
    );
    expect(status).toBe(201);
    expect(headers.warning).toBe('299 - "unknown field \\"spec.colour\\""');
  });

  contractCase('is silent about unknown fields where asked', async () => {
    const { status, headers } = await hub.call(
      'POST',
      `${WIDGETS}?fieldValidation=Ignore`,
      widget({ colour: 'red' }, { name: 'not-warned' }),
    );
    expect(status).toBe(201);
    expect(headers.warning).toBeUndefined();
  });

  contractCase('holds to a transition rule', async () => {
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

  contractCase('lets a transition rule pass what stays', async () => {
    await hub.create(WIDGETS, widget({ owner: 'me' }, { name: 'still-owned' }));
    const { spec: after } = await hub.merge(`${WIDGETS}/still-owned`, {
      spec: { size: 5 },
    });
    expect(after).toMatchObject({ owner: 'me', size: 5 });
  });

  contractCase('evaluates rules with both sides in order', async () => {
    const range = { from: 1, to: 1 };
    expect(await spec('range', { range })).toHaveProperty('range', range);
  });

  contractCase('keeps large numbers as they are', async () => {
    const free = { large: 9007199254740991, fraction: 0.1 };
    expect(await spec('numbers', { free })).toHaveProperty('free', free);
  });
}
