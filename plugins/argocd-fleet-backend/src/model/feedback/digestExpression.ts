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

/** Variables of the lines below: the resources `q`, and parts of the Application, which are optional values. */
const PARTS = {
  s: 'object.?status',
  y: 's.?sync',
  c: 'y.?comparedTo',
  o: 's.?operationState',
  w: 'o.?operation',
  i: 'object.?spec',
  z: 'i.?sourceHydrator',
  q: list('s.?resources'),
};

// A line is a list of fields, its tag first.

const MARK_LINE = `['${DIGEST_MARK}',string(q.size())]`;

const STATUS_LINE = `['s']+${texts([
  's.?health.?status',
  'y.?status',
  'y.?revision',
  's.?health.?lastTransitionTime',
])}+[${[
  `${list('y.?revisions')}.join(' ')`,
  field('s.?resourceHealthSource'),
]}]`;

/** The revisions that a running operation was started with; Argo CD keeps them in each retry. */
const OPERATION_REVISIONS = `p=='Running'?${named(
  { n: 'w.?sync' },
  `n.?revisions.orValue([${field('n.?revision')}]).join(' ')`,
)}:''`;

/** With who started it: the name of a user, or `true` for Argo CD itself. */
const OPERATION_LINE = lineIf(
  'p',
  field('o.?phase'),
  `['o',p,string(o.?retryCount.orValue(0))]+${texts([
    'o.?startedAt',
    'o.?message',
  ])}+[${[
    OPERATION_REVISIONS,
    field('w.?initiatedBy.?username'),
    `string(${field('w.?initiatedBy.?automated')})`,
  ]}]`,
);

/** What was said about the operation when it was started. */
const INFORMATION_LINES = `${list('w.?info')}.map(n,['n']+${fields('n', [
  'name',
  'value',
])})`;

/** Of an Application that is being deleted: since when, and the finalizers that it has. */
const DELETION_LINE = lineIf(
  't',
  field('object.?metadata.?deletionTimestamp'),
  `['e',t,${list('object.?metadata.?finalizers')}.join(' ')]`,
);

/** The source hydrator: its operation, and the last one that succeeded, with this spec or with an earlier one. */
const HYDRATOR_LINE = `[s.?sourceHydrator].map(h,h.hasValue(),['y']+${fields(
  'h.?currentOperation',
  ['phase', 'drySHA', 'startedAt', 'message'],
)}+${named(
  { l: 'h.?lastSuccessfulOperation' },
  `${fields('l', ['drySHA', 'hydratedSHA'])}+[${same('z', 'l.?sourceHydrator')}]`,
)})`;

/**
 * Whether the compared sources equal those of the spec: the lines of the sources contain their main fields only. With a
 * source hydrator, the spec has no source to compare with.
 */
const EQUALS_SPEC =
  `(z.hasValue()?[]:[${list('i.?sources')}==[]?'source':'sources']` +
  `.map(k,${same('i[?k]', 'c[?k]')}))`;

const DESTINATION_LINE = `[c.?destination].map(d,d.hasValue(),['d']+${fields(
  'd',
  ['server', 'name', 'namespace'],
)}+${EQUALS_SPEC})`;

/** An Application has `source` or `sources`. */
const SOURCE_LINES = `([c.?source].map(t,t.hasValue(),t.value())+${list(
  'c.?sources',
)}).map(t,['t']+${fields('t', [
  'repoURL',
  'path',
  'chart',
  'targetRevision',
  'ref',
])})`;

const CONDITION_LINES = `${list('s.?conditions')}.map(c,['c']+${fields('c', [
  'type',
  'message',
])})`;

const FAILED_RESOURCE_LINES = `${list(
  'o.?syncResult.?resources',
)}.map(f,${field('f.?status')}=='SyncFailed'||${field(
  'f.?hookPhase',
)} in ['Failed','Error'],['f']+${fields('f', [...IDENTITY_FIELDS, 'message'])})`;

/** What deleting a resource takes: that a sync prunes it (P), that a person confirms it (D). */
const RESOURCE_MARKS = `['requiresPruning','requiresDeletionConfirmation'].map(k,r[?k].orValue(false),k.charAt(${'requires'.length}))`;

/**
 * Resources that are unhealthy or out of sync come first; a missing health is no problem. Resources may be thousands, so
 * only those that have marks have fields for them.
 */
function resourceLines(length: number): string {
  const all = `q.map(r,['r']+${fields('r', [...IDENTITY_FIELDS, 'status'])}+[${[
    field('r.?health.?status'),
    withoutSeparators(truncated('r.?health.?message', length)),
  ]}]+${RESOURCE_MARKS})`;
  const sync = IDENTITY_FIELDS.length + 1;
  const isWell = `l[${sync}] in ['','Synced']&&l[${sync + 1}] in ['','Healthy']`;
  return named({ r: all }, `r.filter(l,!(${isWell}))+r.filter(l,${isWell})`);
}

function textLines(tag: string, key: string): string {
  return `${list(`s.?summary.?${key}`)}.map(t,['${tag}',t])`;
}

/** Argo CD appends new entries; CEL can select the last ones by index only. */
const HISTORY_LINES = named(
  { h: list('s.?history') },
  `[${Array.from({ length: HISTORY_LENGTH }, (_, n) => n + 1)}].map(n,n<=h.size(),h[h.size()-n]).map(h,['h',${[
    'string(h.?id.orValue(0))',
    field('h.?deployedAt'),
    `h.?revisions.orValue([${field('h.?revision')}]).join(' ')`,
  ]}])`,
);

/**
 * Joins the fields of the lines; separators within fields become spaces, and messages are cut. The lines of resources
 * may be thousands, and only their messages can contain separators: Kubernetes or Argo CD restrict the characters of the
 * other fields.
 */
function joined(lines: string, long: number, short: number): string {
  const limit = `l[0] in ['c','o','y']?${long}:l[0] in ['f','n']?${short}:${DIGEST_LENGTH.max}`;
  const text = withoutSeparators(named({ z: limit }, cutTo('f', 'z')));
  return `(${lines}).map(l,(l[0]=='r'?l:l.map(f,${text})).join('\\t')).join('\\n')`;
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

/** The line of a text, named by a variable; none where the text is empty. */
function lineIf(variable: string, text: string, line: string): string {
  return `[${text}].map(${variable},${variable}!='',${line})`;
}

/** The list of texts that may be absent. */
function texts(paths: readonly string[]): string {
  return `[${paths}].map(v,v.orValue(''))`;
}

/** The list of an object's fields. */
function fields(variable: string, keys: readonly string[]): string {
  const names = keys.map(key => `'${key}'`);
  return `[${names}].map(k,${variable}[?k].orValue(''))`;
}

/** Whether two objects, which may be absent, are equal: `=` or `!`. */
function same(path: string, other: string): string {
  return `${path}.orValue({})==${other}.orValue({})?'=':'!'`;
}

/** CEL text of a text that may be absent and is truncated to a length, in characters. */
export function truncated(path: string, length: number): string {
  return named({ m: field(path) }, cutTo('m', `${length}`));
}

function cutTo(text: string, length: string): string {
  return `${text}.size()>${length}?${text}.substring(0,${length}-1)+${ELLIPSIS}:${text}`;
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
    OPERATION_LINE,
    DELETION_LINE,
    HYDRATOR_LINE,
    DESTINATION_LINE,
    SOURCE_LINES,
    CONDITION_LINES,
    FAILED_RESOURCE_LINES,
    resourceLines(short),
    textLines('i', 'images'),
    textLines('u', 'externalURLs'),
    INFORMATION_LINES,
    HISTORY_LINES,
    "[['.']]",
  ].join('+');
  return named(PARTS, cutToBound(joined(lines, long, short), bound));
}
