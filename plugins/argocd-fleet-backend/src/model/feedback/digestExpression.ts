import { DIGEST_MARK, IDENTITY_FIELDS } from './digestLines';

/** Bounds of a digest's length in characters; OCM's API takes condition messages of up to 32,768. */
export const DIGEST_LENGTH = {
  min: 1_000,
  default: 8_000,
  max: 30_000,
} as const;

/** Characters reserved for the last line of a digest that was cut. */
const CUT_LINE = 32;

/** How many entries of the history are reported. */
export const HISTORY_LENGTH = 5;

/**
 * CEL text of `…`, escaped: one character beyond Latin-1 would make the whole of each work that carries it twice as
 * long in memory while it is read and sent.
 */
const ELLIPSIS = "'\\u2026'";

/** CEL text that is true for an Application that is Healthy and Synced. */
export const READY_EXPRESSION =
  "object.?status.?health.?status.orValue('')=='Healthy'&&object.?status.?sync.?status.orValue('')=='Synced'";

/** Variables of the lines below: the resources `q`, and parts of the status, which are optional values. */
const STATUS_PARTS = {
  s: 'object.?status',
  y: 's.?sync',
  c: 'y.?comparedTo',
  o: 's.?operationState',
  q: list('s.?resources'),
};

// A line is a list of fields, its tag first.

const MARK_LINE = `['${DIGEST_MARK}',string(q.size())]`;

const STATUS_LINE = `['s',${[
  field('s.?health.?status'),
  field('y.?status'),
  field('y.?revision'),
  field('s.?health.?lastTransitionTime'),
  `${list('y.?revisions')}.join(' ')`,
  field('s.?resourceHealthSource'),
]}]`;

/** The revisions that a running operation was started with; Argo CD keeps them in each retry. */
const OPERATION_REVISIONS = `p=='Running'?${named(
  { n: 'o.?operation.?sync' },
  `n.?revisions.orValue([${field('n.?revision')}]).join(' ')`,
)}:''`;

function operationLine(length: number): string {
  return `${listOf('o.?phase')}.map(p,['o',p,${[
    'string(o.?retryCount.orValue(0))',
    field('o.?startedAt'),
    truncated('o.?message', length),
    OPERATION_REVISIONS,
  ]}])`;
}

/** Whether the compared sources equal those of the spec: the lines of the sources contain their main fields only. */
const EQUALS_SPEC =
  `[${list('object.?spec.?sources')}==[]?'source':'sources']` +
  `.map(k,object.?spec[?k].orValue({})==c[?k].orValue({})?'=':'!')`;

const DESTINATION_LINE = `${listOf('c.?destination')}.map(d,['d']+${fields(
  'd',
  ['server', 'name', 'namespace'],
)}+${EQUALS_SPEC})`;

/** An Application has `source` or `sources`. */
const SOURCE_LINES = `(${listOf('c.?source')}+${list(
  'c.?sources',
)}).map(t,['t']+${fields('t', [
  'repoURL',
  'path',
  'chart',
  'targetRevision',
  'ref',
])})`;

function conditionLines(length: number): string {
  return `${list('s.?conditions')}.map(c,['c',${[
    field('c.?type'),
    truncated('c.?message', length),
  ]}])`;
}

function failedResourceLines(length: number): string {
  const failed = `${field('f.?status')}=='SyncFailed'||${field(
    'f.?hookPhase',
  )} in ['Failed','Error']`;
  return `${list(
    'o.?syncResult.?resources',
  )}.filter(f,${failed}).map(f,['f']+${fields('f', IDENTITY_FIELDS)}+[${truncated(
    'f.?message',
    length,
  )}])`;
}

/** Resources that are unhealthy or out of sync come first; a missing health is no problem. */
function resourceLines(length: number): string {
  const all = `q.map(r,['r',${[
    ...IDENTITY_FIELDS.map(key => field(`r.?${key}`)),
    field('r.?status'),
    field('r.?health.?status'),
    withoutSeparators(truncated('r.?health.?message', length)),
  ]}])`;
  const sync = IDENTITY_FIELDS.length + 1;
  const isWell = `l[${sync}] in ['','Synced']&&l[${sync + 1}] in ['','Healthy']`;
  return named({ r: all }, `r.filter(l,!(${isWell}))+r.filter(l,${isWell})`);
}

function textLines(tag: string, key: string): string {
  return `${list(`s.?summary.?${key}`)}.map(i,['${tag}',i])`;
}

/** Argo CD appends new entries; CEL can select the last ones by index only. */
const HISTORY_LINES = named(
  { h: list('s.?history') },
  `[${Array.from({ length: HISTORY_LENGTH }, (_, n) => n + 1)}].filter(n,n<=h.size()).map(n,h[h.size()-n]).map(h,['h',${[
    'string(h.?id.orValue(0))',
    field('h.?deployedAt'),
    `${list('h.?revisions')}==[]?${field('h.?revision')}:h.revisions.join(' ')`,
  ]}])`,
);

/**
 * Joins the fields of the lines; separators within fields become spaces. The lines of resources may be thousands, and
 * only their messages can contain separators: Kubernetes or Argo CD restrict the characters of the other fields.
 */
function joined(lines: string): string {
  return `(${lines}).map(l,(l[0]=='r'?l:l.map(f,${withoutSeparators('f')})).join('\\t')).join('\\n')`;
}

/** Cuts the text at the end of a line, and counts the resources whose lines were removed. */
function cutToBound(text: string, bound: number): string {
  const cut = named(
    {
      b: `a.substring(0,${bound - CUT_LINE})`,
      k: "b.substring(0,b.lastIndexOf('\\n'))",
    },
    "k+'\\nx\\t'+string(q.size()-k.split('\\n').filter(l,l.startsWith('r\\t')).size())",
  );
  return named({ a: text }, `a.size()<=${bound}?a:${cut}`);
}

/** A text that may be absent. */
function field(path: string): string {
  return `${path}.orValue('')`;
}

/** A list that may be absent. */
function list(path: string): string {
  return `${path}.orValue([])`;
}

/** The list of a value that may be absent. */
function listOf(path: string): string {
  return `(${path}.hasValue()?[${path}.value()]:[])`;
}

/** The list of an object's fields. */
function fields(variable: string, keys: readonly string[]): string {
  const names = keys.map(key => `'${key}'`);
  return `[${names}].map(k,${variable}[?k].orValue(''))`;
}

/** CEL text of a text that may be absent and is truncated to a length, in characters. */
export function truncated(path: string, length: number): string {
  return named(
    { m: field(path) },
    `m.size()>${length}?m.substring(0,${length - 1})+${ELLIPSIS}:m`,
  );
}

/** CEL text that replaces the separators of fields and lines in a text. */
export function withoutSeparators(text: string): string {
  return `${text}.replace('\\t',' ').replace('\\n',' ')`;
}

/** CEL text with names for values, which later ones may use; CEL itself has no such construct. */
export function named(
  values: Readonly<Record<string, string>>,
  text: string,
): string {
  return Object.entries(values).reduceRight(
    (inner, [name, value]) => `[${value}].map(${name},${inner})[0]`,
    text,
  );
}

/**
 * CEL text that makes the digest of an Application (variable `object`): lines of tab-separated fields, the first with
 * the version mark and the number of resources, the last a `.` or, where the bound cut something off, `x` and the
 * number of resources left out. Problems come first, so that a cut removes other lines.
 *
 * Each work carries it, so it is short: variables have one letter, and JSON need not escape its single quotes. It keeps
 * to standard macros, optional types and the strings extension, which every OCM with condition rules has, and to a
 * fixed number of passes over each list, so that its cost is linear in the size of the Application.
 * @param length - limit of the digest in characters; clamped to {@link DIGEST_LENGTH}
 */
export function digestExpression(length: number): string {
  const bound = Math.max(
    DIGEST_LENGTH.min,
    Math.min(DIGEST_LENGTH.max, Math.floor(length)),
  );
  // One long message must not push everything else out.
  const long = Math.floor(bound / 5);
  const short = Math.floor(bound / 16);

  const lines = [
    `[${MARK_LINE},${STATUS_LINE}]`,
    operationLine(long),
    DESTINATION_LINE,
    SOURCE_LINES,
    conditionLines(long),
    failedResourceLines(short),
    resourceLines(short),
    textLines('i', 'images'),
    textLines('u', 'externalURLs'),
    HISTORY_LINES,
    "[['.']]",
  ].join('+');
  return named(STATUS_PARTS, cutToBound(joined(lines), bound));
}
