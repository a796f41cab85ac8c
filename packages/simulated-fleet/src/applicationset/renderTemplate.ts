import { isJsonObject } from '../kubernetes/json';

/** Parameters of one generated element; nested only with Go templates. */
export type TemplateParams = Record<string, unknown>;

/** A template that cannot be rendered; the message says which and why. */
export class TemplateError extends Error {}

/** Renders one string of a template. */
export type RenderString = (text: string, params: TemplateParams) => string;

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
export const renderPlain: RenderString = (text, params) => {
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
};

const GO_FIELD = /^\s*((?:\.[A-Za-z_][A-Za-z0-9_]*)+)\s*$/;

/** Go templates, as far as they are field references: `{{.name}}`, `{{ .values.tier }}`. */
export function renderGoFields(options: readonly string[]): RenderString {
  const strict = options.includes('missingkey=error');
  return (text, params) =>
    text.replace(/{{(.*?)}}/gs, (whole, action: string) => {
      const field = GO_FIELD.exec(action)?.[1];
      if (!field) {
        throw new TemplateError(
          `the simulated ApplicationSet controller renders Go templates that are plain field references such as {{.name}} only, and ${JSON.stringify(
            whole,
          )} is not one`,
        );
      }
      let value: unknown = params;
      for (const name of field.slice(1).split('.')) {
        const present = isJsonObject(value) && name in value;
        if (!present && strict) {
          throw new TemplateError(
            `failed to execute go template ${text}: map has no entry for key ${JSON.stringify(
              name,
            )}`,
          );
        }
        value = isJsonObject(value) ? value[name] : undefined;
      }
      return value === undefined || value === null
        ? '<no value>'
        : String(value);
    });
}
