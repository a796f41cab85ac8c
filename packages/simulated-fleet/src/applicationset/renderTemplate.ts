import { isJsonObject } from '../kubernetes/json';
import { ApplicationSet } from '../kubernetes/argocdTypes';
import { goText } from './goValues';

/** Parameters of one generated element; nested only with Go templates. */
export type TemplateParams = Record<string, unknown>;

/** A template that cannot be rendered; the message says which and why. */
export class TemplateError extends Error {}

/** Renders one string of a template. */
export type RenderString = (text: string, params: TemplateParams) => string;

/** The templates that an ApplicationSet is written in. */
export function renderer({ spec }: ApplicationSet): RenderString {
  return spec?.goTemplate
    ? renderGoFields(spec.goTemplateOptions ?? [])
    : renderPlain;
}

/** Renders every string of a template, keys of maps included, as Argo CD does. */
export function renderDeep<T>(
  template: T,
  params: TemplateParams,
  render: RenderString,
): T {
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return render(value, params);
    }
    if (Array.isArray(value)) {
      return value.map(visit);
    }
    if (isJsonObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, nested]) => [
          render(key, params),
          visit(nested),
        ]),
      );
    }
    return value;
  };
  // Rendering changes strings only, so the shape is the template's.
  return visit(template) as T;
}

/**
 * Argo CD's plain templates: `{{ key }}` is replaced by the parameter of that
 * very key; a key without a string parameter stays as it was written.
 */
export function renderPlain(text: string, params: TemplateParams): string {
  if (!/{{.*}}/.test(text)) {
    return text;
  }
  let rendered = '';
  let rest = text;
  for (;;) {
    const start = rest.indexOf('{{');
    if (start < 0) {
      return rendered + rest;
    }
    const end = rest.indexOf('}}', start + 2);
    if (end < 0) {
      throw new TemplateError(
        `invalid template: Cannot find end tag="}}" in the template=${JSON.stringify(
          text,
        )} starting from ${JSON.stringify(rest.slice(start + 2))}`,
      );
    }
    const tag = rest.slice(start + 2, end);
    const value = params[tag.trim()];
    rendered += rest.slice(0, start);
    rendered += typeof value === 'string' ? value : `{{${tag}}}`;
    rest = rest.slice(end + 2);
  }
}

const GO_FIELD = /^\s*((?:\.[A-Za-z_][A-Za-z0-9_]*)+)\s*$/;
const GO_OPTION = /^missingkey=(default|invalid|zero|error)$/;

/** Go templates, as far as they are field references: `{{.name}}`, `{{ .values.tier }}`. */
export function renderGoFields(options: readonly string[]): RenderString {
  const unknown = options.find(option => !GO_OPTION.test(option));
  const missingKey = options.reduce<string>(
    (last, option) => GO_OPTION.exec(option)?.[1] ?? last,
    'default',
  );
  return (text, params) => {
    if (unknown !== undefined) {
      throw new TemplateError(
        `unrecognized Go template option ${JSON.stringify(unknown)}: Go knows missingkey=default, invalid, zero and error`,
      );
    }
    if (/{{(?![^]*}})/.test(text)) {
      throw new TemplateError(
        `failed to parse template ${text}: template: :1: unclosed action`,
      );
    }
    return text.replace(/{{(.*?)}}/gs, (whole, action: string) => {
      const path = GO_FIELD.exec(action)?.[1];
      if (!path) {
        throw new TemplateError(
          `the simulated ApplicationSet controller renders Go templates that are plain field references such as {{.name}} only, and ${JSON.stringify(
            whole,
          )} is not one`,
        );
      }
      const refuse = (why: string) =>
        new TemplateError(
          `failed to execute go template ${text}: template: :1:${
            text.indexOf(whole) + 2
          }: executing "" at <${path}>: ${why}`,
        );
      return fieldText(path.slice(1).split('.'), params, missingKey, refuse);
    });
  };
}

/** The value of a field, in Go's rules about what is missing, null or no map. */
function fieldText(
  path: readonly string[],
  params: TemplateParams,
  missingKey: string,
  refuse: (why: string) => Error,
): string {
  let value: unknown = params;
  for (const name of path) {
    if (value === null) {
      throw refuse(`nil pointer evaluating interface {}.${name}`);
    }
    if (value === undefined) {
      return '<no value>';
    }
    if (!isJsonObject(value)) {
      throw refuse(`can't evaluate field ${name} in type interface {}`);
    }
    if (!Object.hasOwn(value, name) && missingKey === 'error') {
      throw refuse(`map has no entry for key ${JSON.stringify(name)}`);
    }
    value = value[name];
  }
  return value === undefined || value === null ? '<no value>' : goText(value);
}
