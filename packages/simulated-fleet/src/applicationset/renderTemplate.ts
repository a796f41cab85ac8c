import { isJsonObject } from '../kubernetes/json';
import { ApplicationSet } from '../kubernetes/argocdTypes';
import { GoStringMap, goText } from './goValues';

/** The parameters of one generated element; nested only with Go templates. */
export type TemplateParams = Record<string, unknown>;

/** A template cannot be rendered; the message contains the template and the reason. */
export class TemplateError extends Error {}

/** Renders one string of a template. */
export type RenderString = (text: string, params: TemplateParams) => string;

/** The render function for an ApplicationSet's template language. */
export function renderer({ spec }: ApplicationSet): RenderString {
  return spec?.goTemplate
    ? renderGoFields(spec.goTemplateOptions ?? [])
    : renderPlain;
}

/** Renders every string of a template as Argo CD does, including the keys of maps. */
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
 * Renders Argo CD's plain templates: `{{ key }}` is replaced by the parameter
 * with exactly that key; a tag without a string parameter stays as it is.
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
const GO_INDEX =
  /^\s*index\s+((?:\.[A-Za-z_][A-Za-z0-9_]*)+)\s+"([^"\\]*)"\s*$/;
const GO_OPTION = /^missingkey=(default|invalid|zero|error)$/;

/**
 * Renders Go templates that contain only field references such as `{{.name}}` or `{{ .values.tier }}`, and entries of maps
 * such as `{{ index .metadata.labels "env" }}`.
 */
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
      const [, map, key] = GO_INDEX.exec(action) ?? [];
      const path = map ?? GO_FIELD.exec(action)?.[1];
      if (!path) {
        throw new TemplateError(
          `the simulated ApplicationSet controller renders Go templates that are plain field references such as {{.name}}, or entries such as {{ index .metadata.labels "env" }}, only, and ${JSON.stringify(
            whole,
          )} is not one`,
        );
      }
      const errorFor = (reason: string) =>
        new TemplateError(
          `failed to execute go template ${text}: template: :1:${
            text.indexOf(whole) + 2
          }: executing "" at <${path}>: ${reason}`,
        );
      const value = fieldValue(
        path.slice(1).split('.'),
        params,
        missingKey,
        errorFor,
      );
      return key === undefined
        ? (textOf(value) ?? '<no value>')
        : entryText(value, key, errorFor);
    });
  };
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : goText(value);
}

/** The text of a map's entry: one that is missing has the zero value of the map's type. */
function entryText(
  map: unknown,
  key: string,
  errorFor: (reason: string) => Error,
): string {
  if (!isJsonObject(map)) {
    throw errorFor('error calling index: index of untyped nil');
  }
  const text = Object.hasOwn(map, key) ? textOf(map[key]) : undefined;
  return text ?? (map instanceof GoStringMap ? '' : '<no value>');
}

/** A field's value by Go's rules for missing keys, null and values that are not maps. */
function fieldValue(
  path: readonly string[],
  params: TemplateParams,
  missingKey: string,
  errorFor: (reason: string) => Error,
): unknown {
  let value: unknown = params;
  for (const name of path) {
    if (value === null) {
      throw errorFor(`nil pointer evaluating interface {}.${name}`);
    }
    if (value === undefined) {
      return undefined;
    }
    if (!isJsonObject(value)) {
      throw errorFor(`can't evaluate field ${name} in type interface {}`);
    }
    if (!Object.hasOwn(value, name) && missingKey === 'error') {
      throw errorFor(`map has no entry for key ${JSON.stringify(name)}`);
    }
    value = value[name];
  }
  return value;
}
