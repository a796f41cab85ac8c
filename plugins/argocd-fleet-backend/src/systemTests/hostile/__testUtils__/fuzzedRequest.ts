import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { HOSTILE_TEXTS, HOSTILE_VALUES } from './hostileValues';

/** A request as it goes over the wire. */
export interface FuzzedRequest {
  readonly method: string;
  /** Path and query below the API's own, already encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

type PathItem = { readonly parameters?: readonly Parameter[] } & {
  readonly [M in (typeof METHODS)[number]]?: Operation;
};

/** One operation of the API's document. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: Schema;
}

const DOCUMENT = parse(
  readFileSync(resolve(__dirname, '../../../schema/openapi.yaml'), 'utf8'),
);

function dereferenced<T extends { readonly $ref?: string }>(value: T): T {
  return value.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((part, key) => part[key], DOCUMENT)
    : value;
}

/** Every operation of the document, so that a new one is fuzzed without a change here. */
export const ROUTES: readonly Route[] = Object.entries(
  DOCUMENT.paths as Record<string, PathItem>,
).flatMap(([path, item]) =>
  METHODS.flatMap(method => {
    const operation = item[method];
    const content = operation?.requestBody?.content['application/json'];
    return operation
      ? [
          {
            method: method.toUpperCase(),
            path,
            parameters: [
              ...(item.parameters ?? []),
              ...(operation.parameters ?? []),
            ].map(dereferenced),
            body: content?.schema,
          },
        ]
      : [];
  }),
);

const text = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ maxLength: 40, unit: 'binary' }),
);

/** A value of the schema, or nearly one. */
function valueOf(schema: Schema, names: readonly string[]): fc.Arbitrary<any> {
  const {
    type,
    enum: values,
    items,
    properties,
    additionalProperties,
    allOf,
  } = dereferenced(schema);
  if (allOf) {
    return fc
      .tuple(...allOf.map(part => valueOf(part, names)))
      .map(parts => Object.assign({}, ...parts));
  }
  if (values) {
    return fc.constantFrom(...values);
  }
  switch (type) {
    case 'integer':
    case 'number':
      return fc.integer({ min: 1, max: 50 });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valueOf(items ?? {}, names), { maxLength: 3 });
    case 'object':
      return fc
        .tuple(
          fc.record(
            Object.fromEntries(
              Object.entries(properties ?? {}).map(([key, value]) => [
                key,
                valueOf(value, names),
              ]),
            ),
            { requiredKeys: [] },
          ),
          additionalProperties
            ? fc.dictionary(
                fc.constantFrom(...names),
                fc.constantFrom(...names),
                {
                  maxKeys: 3,
                  noNullPrototype: true,
                },
              )
            : fc.constant({}),
        )
        .map(([known, more]) => ({ ...known, ...more }));
    default:
      return fc.constantFrom(...names);
  }
}

/** The paths of all values in a JSON value. */
function placesIn(value: unknown, at: readonly string[] = []): string[][] {
  return typeof value === 'object' && value !== null
    ? [
        [...at],
        ...Object.entries(value).flatMap(([key, inner]) =>
          placesIn(inner, [...at, key]),
        ),
      ]
    : [[...at]];
}

/** The value with another one at a place. */
export function replaced(
  value: any,
  [key, ...rest]: readonly string[],
  other: unknown,
): any {
  if (key === undefined) {
    return other;
  }
  const copy: any = Array.isArray(value) ? [...value] : { ...value };
  // An assignment to `__proto__` would set the prototype.
  Object.defineProperty(copy, key, {
    value: replaced(copy[key], rest, other),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

/** A value in which places are replaced with hostile values, or hostile keys added. */
export function mutated(
  value: fc.Arbitrary<unknown>,
  places: (value: unknown) => string[][] = placesIn,
): fc.Arbitrary<any> {
  const mutation = fc.record({
    place: fc.nat(),
    value: fc.constantFrom(...HOSTILE_VALUES),
    key: fc.option(fc.constantFrom(...HOSTILE_TEXTS), { freq: 4 }),
  });
  return fc
    .tuple(value, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([start, mutations]) =>
      mutations.reduce<unknown>((result, { place, value: other, key }) => {
        const all = places(result);
        if (all.length === 0) {
          return result;
        }
        const at = all[place % all.length];
        return replaced(result, key === null ? at : [...at, key], other);
      }, start),
    );
}

function pathArbitrary(
  { path, parameters }: Route,
  names: readonly string[],
): fc.Arbitrary<string> {
  const parts = path.split('/').filter(Boolean);
  const encodedText = text.map(encoded);
  const part = (segment: string): fc.Arbitrary<string> =>
    segment.startsWith('{')
      ? fc.oneof(
          { weight: 10, arbitrary: fc.constantFrom(...names) },
          { weight: 1, arbitrary: encodedText },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              '%ff',
              '%',
              '%2e%2e%2f',
              '%00',
              '.',
              '..',
              ';x=y',
              '*',
            ),
          },
        )
      : fc.constant(segment);
  const query = parameters.filter(it => it.in === 'query');
  const pair = fc
    .tuple(
      fc.oneof(
        ...(query.length > 0
          ? [fc.constantFrom(...query.map(({ name }) => name))]
          : []),
        fc.constantFrom('limit', 'limit[]', 'a[b][c]', '__proto__[x]', ''),
        encodedText,
      ),
      fc.oneof(
        fc.constantFrom(...names, 'a=b', '1', '50', 'eyJ9'),
        encodedText,
      ),
    )
    .map(([key, value]) => `${key}=${value}`);
  return fc
    .tuple(
      fc.tuple(...parts.map(part)),
      fc.array(pair, { maxLength: 4 }),
      fc.constantFrom('', '', '', '', '/', '/more', '//'),
    )
    .map(
      ([segments, pairs, end]) =>
        `/${segments.join('/')}${end}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
    );
}

/** As `encodeURIComponent`, and lone surrogates as the bytes that they have in WTF-8, which is not UTF-8. */
function encoded(value: string): string {
  return value
    .split('')
    .reduce<string[]>((units, unit) => {
      const last = units.at(-1) ?? '';
      if (/^[\ud800-\udbff]$/.test(last) && /^[\udc00-\udfff]$/.test(unit)) {
        units[units.length - 1] = last + unit;
      } else {
        units.push(unit);
      }
      return units;
    }, [])
    .map(unit =>
      /^[\ud800-\udfff]$/.test(unit) ? '%ED%A0%80' : encodeURIComponent(unit),
    )
    .join('');
}

/** Header values that Node.js sends. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ['text/html', 'application/xml', '*/*;q=0', ',,,', 'x'.repeat(2_000)],
  'accept-encoding': ['gzip', 'br', 'identity;q=0', 'x'],
  'accept-language': ['*', `${'en,'.repeat(500)}en`],
  authorization: ['Bearer', 'Bearer x', 'Basic eDp5', 'Negotiate', '\u00ff'],
  'content-type': [
    'application/json; charset=x',
    'application/json; charset=utf-16',
    'text/plain',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'application/merge-patch+json',
    ';',
  ],
  'content-encoding': ['gzip', 'br', 'deflate', 'x'],
  cookie: ['backstage-auth=x', `a=${'b'.repeat(3_000)}`],
  host: ['evil.example.com', '', 'a b', '[::1]:99999', 'x'.repeat(500)],
  origin: ['https://evil.example.com', 'null', ''],
  'if-none-match': ['*', 'W/"x"', '"'],
  'if-modified-since': ['9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  range: ['bytes=0-', 'bytes=-1', 'bytes=9-1'],
  'x-http-method-override': ['DELETE', 'PUT'],
  'x-forwarded-for': ['127.0.0.1', '\u00e9'],
  'x-forwarded-host': ['evil.example.com'],
  'x-forwarded-proto': ['javascript'],
  'last-event-id': ['9'.repeat(100)],
  'cache-control': ['no-store'],
  prefer: ['return=minimal'],
};

const headers = fc
  .array(
    fc
      .constantFrom(...Object.keys(HEADERS))
      .chain(name =>
        fc.constantFrom(...HEADERS[name]).map(value => [name, value] as const),
      ),
    { maxLength: 3 },
  )
  .map(pairs => Object.fromEntries(pairs));

function bodyArbitrary({ body }: Route, names: readonly string[]) {
  const valid = valueOf(body ?? { type: 'object' }, names);
  return fc.oneof(
    { weight: 3, arbitrary: valid.map(value => JSON.stringify(value)) },
    {
      weight: 6,
      arbitrary: mutated(valid).map(value => JSON.stringify(value) ?? ''),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['', '{', '[]', 'null', '"x"', '{"a":1,"a":2}', '\ufeff{}', 'a=b'],
        `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
        JSON.stringify({ placement: 'x'.repeat(200_000) }),
      ),
    },
  );
}

/**
 * Requests to every operation of the document, and some with another method.
 * @param names - of objects that exist, so that requests get far enough
 */
export function fuzzedRequests(
  names: readonly string[],
): fc.Arbitrary<FuzzedRequest> {
  return fc.constantFrom(...ROUTES).chain(route => {
    const method = fc.oneof(
      { weight: 12, arbitrary: fc.constant(route.method) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ...['GET', 'PUT', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'DELETE'],
        ),
      },
    );
    return fc
      .record({
        method,
        path: pathArbitrary(route, names),
        headers,
        body: bodyArbitrary(route, names),
      })
      .map(({ body, ...request }) => {
        const hasBody = ['PUT', 'POST', 'PATCH'].includes(request.method);
        return hasBody
          ? {
              ...request,
              headers: {
                'content-type': 'application/json',
                ...request.headers,
              },
              body,
            }
          : request;
      });
  });
}
