import { GoStringMap } from './goValues';
import { renderDeep, renderGoFields, renderPlain } from './renderTemplate';

describe('plain templates', () => {
  const params = {
    name: 'cluster1',
    'metadata.labels.env': 'prod',
    nested: { a: 'b' },
  };

  it.each([
    ['{{name}}-guestbook-app', 'cluster1-guestbook-app'],
    ['{{ name }}/{{name}}', 'cluster1/cluster1'],
    ['{{metadata.labels.env}}', 'prod'],
    ['{{unknown}} stays', '{{unknown}} stays'],
    ['{{ unknown }} keeps its blanks', '{{ unknown }} keeps its blanks'],
    ['{{nested}} is no string', '{{nested}} is no string'],
    ['{{}} is no key', '{{}} is no key'],
    ['no template', 'no template'],
    ['open {{ alone', 'open {{ alone'],
  ])('renders %j to %j', (template, expected) => {
    expect(renderPlain(template, params)).toBe(expected);
  });

  it('rejects a second tag without an end', () => {
    expect(() => renderPlain('{{name}} and {{name', params)).toThrow(
      /Cannot find end tag="}}"/,
    );
  });

  it('renders keys and values, and does not change other types', () => {
    expect(
      renderDeep(
        { '{{name}}': ['x-{{name}}', 3, true, null] },
        params,
        renderPlain,
      ),
    ).toEqual({ cluster1: ['x-cluster1', 3, true, null] });
  });
});

describe('Go templates', () => {
  const params = { name: 'cluster1', values: { tier: 'gold' } };
  const render = renderGoFields([]);

  it.each([
    ['{{.name}}-app', 'cluster1-app'],
    ['{{ .values.tier }}', 'gold'],
    ['{{.missing}}', '<no value>'],
  ])('renders the field reference %j to %j', (template, expected) => {
    expect(render(template, params)).toBe(expected);
  });

  it.each([
    ['{{ index .labels "a.b/c" }}', 'x'],
    ['{{index .labels "none"}}', ''],
    ['{{ index .values "none" }}', '<no value>'],
  ])('renders the entry %j to %j', (template, expected) => {
    const labels = new GoStringMap({ 'a.b/c': 'x' });
    expect(
      renderGoFields(['missingkey=error'])(template, { ...params, labels }),
    ).toBe(expected);
  });

  it.each(['{{ .name | upper }}', '{{ if .name }}x{{ end }}', '{{name}}'])(
    'rejects %j with a message',
    template => {
      expect(() => render(template, params)).toThrow(
        /plain field references such as {{\.name}}, or entries/,
      );
    },
  );

  it('fails on a missing key with missingkey=error', () => {
    expect(() =>
      renderGoFields(['missingkey=error'])('{{.missing}}', params),
    ).toThrow(/map has no entry for key "missing"/);
  });

  it.each([
    ['{{.name.first}}', /can't evaluate field first/],
    ['{{.nothing.first}}', /nil pointer evaluating interface {}\.first/],
    ['{{.name}} {{.name', /unclosed action/],
  ])('fails on %j', (template, message) => {
    expect(() => render(template, { ...params, nothing: null })).toThrow(
      message,
    );
  });

  it('accepts only the options of Go', () => {
    expect(() =>
      renderGoFields(['missingkey=eror'])('{{.name}}', params),
    ).toThrow(/unrecognized Go template option/);
    expect(
      renderGoFields(['missingkey=error', 'missingkey=default'])(
        '{{.missing.deeper}}',
        params,
      ),
    ).toBe('<no value>');
  });
});
