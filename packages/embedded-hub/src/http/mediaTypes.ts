import { ApiError } from '../api/statusErrors';
import { IncludeObject } from '../table/table';

/** The form of objects in a response. */
export interface Representation {
  readonly kind: 'object' | 'table' | 'metadata';
  readonly yaml: boolean;
  readonly include: IncludeObject;
}

interface MediaRange {
  readonly type: string;
  readonly parameters: { readonly [name: string]: string };
  readonly quality: number;
}

/** The entries of an Accept header, by descending quality. */
export function parseAccept(header: string | undefined): MediaRange[] {
  return (header || '*/*')
    .split(',')
    .map(entry => {
      const [type, ...rest] = entry.split(';').map(part => part.trim());
      const parameters: { [name: string]: string } = {};
      for (const parameter of rest) {
        const [name, value = ''] = parameter.split('=');
        parameters[name] = value;
      }
      return { type, parameters, quality: Number(parameters.q ?? 1) };
    })
    .sort((a, b) => b.quality - a.quality);
}

const JSON_TYPES = new Set(['application/json', 'application/*', '*/*']);

function includeOf(text: string | null): IncludeObject {
  if (text === 'None' || text === 'Object') {
    return text;
  }
  return 'Metadata';
}

/** Chooses the first supported representation. @throws ApiError 406 when there is none. */
export function negotiate(
  accept: string | undefined,
  query: URLSearchParams,
): Representation {
  const include = includeOf(query.get('includeObject'));
  for (const { type, parameters } of parseAccept(accept)) {
    const yaml = type === 'application/yaml';
    if (!yaml && !JSON_TYPES.has(type)) {
      continue;
    }
    const { as, g, v } = parameters;
    if (!as) {
      return { kind: 'object', yaml, include };
    }
    if (g === 'meta.k8s.io' && (v === 'v1' || v === 'v1beta1')) {
      if (as === 'Table') {
        return { kind: 'table', yaml: false, include };
      }
      if (as.startsWith('PartialObjectMetadata')) {
        return { kind: 'metadata', yaml: false, include };
      }
    }
  }
  throw new ApiError(
    406,
    'NotAcceptable',
    '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml',
    {},
  );
}
