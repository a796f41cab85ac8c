import { DIGEST_MARK } from './digestLines';

/** Bounds of a digest's length in characters; OCM's API takes condition messages of up to 32,768. */
export const DIGEST_LENGTH = {
  min: 1_000,
  default: 8_000,
  max: 30_000,
} as const;

/** Room for the last line of a digest that was cut. */
const CUT_LINE = 32;

/** How many entries of the history come home. */
export const HISTORY_LENGTH = 5;

/** Everything but what says that it is all right; no health is no news. */
const WRONG =
  '!(r.?status.orValue("") in ["", "Synced"]) || !(r.?health.?status.orValue("") in ["", "Healthy"])';

/**
 * CEL text of `…`, escaped: one character beyond Latin-1 would make the whole of each work that carries it twice as
 * long in memory while it is read and sent.
 */
export const ELLIPSIS = '"\\u2026"';

/** Keeps a text from looking like several fields or lines. */
const CLEAN = '.replace("\\t", " ").replace("\\n", " ")';

/** CEL text that is true for an Application that is Healthy and Synced. */
export const READY_EXPRESSION =
  'object.?status.?health.?status.orValue("") == "Healthy" && object.?status.?sync.?status.orValue("") == "Synced"';

/**
 * CEL text that makes the digest of an Application (variable `object`): lines of tab-separated fields, the first with
 * the version mark and the number of resources, the last a `.` or, where the bound cut something off, `x` and the
 * number of resources left out. What is not right comes first, so that a cut takes what is.
 *
 * It keeps to standard macros, optional types and the strings extension, which every OCM with condition rules has, and
 * to a fixed number of passes over each list, so that its cost grows no faster than the Application. `[value].map(v,
 * …)[0]` gives a value a name.
 *
 * Making it takes longer than the rest of a work: it is made once for each configuration.
 * @param length - the most characters that it may give; brought into {@link DIGEST_LENGTH}
 */
export function digestExpression(length: number): string {
  const bound = Math.max(
    DIGEST_LENGTH.min,
    Math.min(DIGEST_LENGTH.max, Math.floor(length)),
  );
  // One long message must not push everything else out.
  const long = Math.floor(bound / 5);
  const short = Math.floor(bound / 16);
  const resources = list('object.?status.?resources');

  const lists = [
    `[${line(text(DIGEST_MARK), `string(${resources}.size())`)}]`,
    statusLine(),
    operationLine(long),
    ...comparedToLines(),
    `${list('object.?status.?conditions')}.map(c, ${line(
      text('c'),
      clean('c.?type'),
      message('c.?message', long),
    )})`,
    failedResourceLines(short),
    `${resources}.filter(r, ${WRONG}).map(r, ${resourceLine(short)})`,
    `${resources}.filter(r, !(${WRONG})).map(r, ${resourceLine(short)})`,
    `${list('object.?status.?summary.?images')}.map(i, ${line(
      text('i'),
      `i${CLEAN}`,
    )})`,
    `${list('object.?status.?summary.?externalURLs')}.map(u, ${line(
      text('u'),
      `u${CLEAN}`,
    )})`,
    historyLines(),
    `["."]`,
  ];
  return bounded(`(${lists.join(' + ')}).join("\\n")`, resources, bound);
}

function statusLine(): string {
  return `[${line(
    text('s'),
    clean('object.?status.?health.?status'),
    clean('object.?status.?sync.?status'),
    clean('object.?status.?sync.?revision'),
    clean('object.?status.?health.?lastTransitionTime'),
    `${list('object.?status.?sync.?revisions')}.join(" ")${CLEAN}`,
    clean('object.?status.?resourceHealthSource'),
  )}]`;
}

function operationLine(length: number): string {
  const state = 'object.?status.?operationState';
  return `${list(`${state}.?phase`, 'string')}.map(p, ${line(
    text('o'),
    `p${CLEAN}`,
    `string(${state}.?retryCount.orValue(0))`,
    clean(`${state}.?startedAt`),
    message(`${state}.?message`, length),
  )})`;
}

/** The destination once, and a line for each source: `source` and `sources` exclude each other. */
function comparedToLines(): string[] {
  const compared = 'object.?status.?sync.?comparedTo';
  const source = (variable: string) =>
    line(
      text('t'),
      ...['repoURL', 'path', 'chart', 'targetRevision', 'ref'].map(field =>
        clean(`${variable}.?${field}`),
      ),
    );
  return [
    `${list(`${compared}.?destination`, 'map')}.map(d, ${line(
      text('d'),
      clean('d.?server'),
      clean('d.?name'),
      clean('d.?namespace'),
      wholeField(),
    )})`,
    `${list(`${compared}.?source`, 'map')}.map(t, ${source('t')})`,
    `${list(`${compared}.?sources`)}.map(t, ${source('t')})`,
  ];
}

/**
 * Whether Argo CD compared with all that stands in the spec: the lines above hold only what tells one source from
 * another.
 */
function wholeField(): string {
  const same = (field: string, none: string) =>
    `object.?spec.?${field}.orValue(${none}) == object.?status.?sync.?comparedTo.?${field}.orValue(${none})`;
  return `((${list('object.?spec.?sources')}.size() > 0 ? ${same('sources', '[]')} : ${same('source', '{}')}) ? "=" : "!")`;
}

function failedResourceLines(length: number): string {
  const failed =
    'f.?status.orValue("") == "SyncFailed" || f.?hookPhase.orValue("") in ["Failed", "Error"]';
  return `${list(
    'object.?status.?operationState.?syncResult.?resources',
  )}.filter(f, ${failed}).map(f, ${line(
    text('f'),
    clean('f.?group'),
    clean('f.?version'),
    clean('f.?kind'),
    clean('f.?namespace'),
    clean('f.?name'),
    message('f.?message', length),
  )})`;
}

function resourceLine(length: number): string {
  return line(
    text('r'),
    plain('r.?group'),
    plain('r.?version'),
    plain('r.?kind'),
    plain('r.?namespace'),
    plain('r.?name'),
    plain('r.?status'),
    plain('r.?health.?status'),
    `(r.?health.?message.orValue("") == "" ? "" : ${message(
      'r.?health.?message',
      length,
    )})`,
  );
}

/** Argo CD adds new entries at the end; CEL has no way to take the last ones but by their places. */
function historyLines(): string {
  const history = list('object.?status.?history');
  const places = Array.from({ length: HISTORY_LENGTH }, (_, n) => n + 1);
  return `[${places}].filter(n, n <= ${history}.size()).map(n, ${history}[${history}.size() - n]).map(h, ${line(
    text('h'),
    'string(h.?id.orValue(0))',
    clean('h.?deployedAt'),
    `(${list('h.?revisions')}.size() > 0 ? ${list('h.?revisions')}.join(" ") : h.?revision.orValue(""))${CLEAN}`,
  )})`;
}

/** Cuts at the end of a line and counts the resource lines that are left. */
function bounded(whole: string, resources: string, bound: number): string {
  const kept = `a.substring(0, ${bound - CUT_LINE})`;
  return (
    `[${whole}].map(a, a.size() <= ${bound} ? a : ` +
    `[${kept}].map(b, [b.substring(0, b.lastIndexOf("\\n"))].map(k, ` +
    `k + "\\nx\\t" + string(${resources}.size() - k.split("\\n").filter(l, l.startsWith("r\\t")).size()))[0])[0])[0]`
  );
}

function line(...fields: string[]): string {
  return `[${fields.join(', ')}].join("\\t")`;
}

function text(value: string): string {
  return JSON.stringify(value);
}

/**
 * A field whose characters Kubernetes or Argo CD restricts already. The conversion is for type checkers that want lists
 * of one type.
 */
function plain(path: string): string {
  return `string(${path}.orValue(""))`;
}

/** A field that people write. */
function clean(path: string): string {
  return `${path}.orValue("")${CLEAN}`;
}

function message(path: string, length: number): string {
  return `[${path}.orValue("")].map(m, m.size() > ${length} ? m.substring(0, ${
    length - 1
  }) + ${ELLIPSIS} : m)[0]${CLEAN}`;
}

/** A list that may be absent; or, of a single value that may be absent, the list of it. */
function list(path: string, of: 'list' | 'string' | 'map' = 'list'): string {
  return of === 'list'
    ? `${path}.orValue([])`
    : `(${path}.hasValue() ? [${path}.value()] : [])`;
}
