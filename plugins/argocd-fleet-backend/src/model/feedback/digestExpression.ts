import { DIGEST_MARK } from './digestLines';

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

/** CEL condition for a resource that is unhealthy or out of sync; a missing health is no problem. */
const HAS_PROBLEM =
  '!(r.?status.orValue("") in ["", "Synced"]) || !(r.?health.?status.orValue("") in ["", "Healthy"])';

/**
 * CEL text of `…`, escaped: one character beyond Latin-1 would make the whole of each work that carries it twice as
 * long in memory while it is read and sent.
 */
export const ELLIPSIS = '"\\u2026"';

/** Replaces the separators of fields and lines in a text. */
const CLEAN = '.replace("\\t", " ").replace("\\n", " ")';

/** CEL text that is true for an Application that is Healthy and Synced. */
export const READY_EXPRESSION =
  'object.?status.?health.?status.orValue("") == "Healthy" && object.?status.?sync.?status.orValue("") == "Synced"';

/**
 * CEL text that makes the digest of an Application (variable `object`): lines of tab-separated fields, the first with
 * the version mark and the number of resources, the last a `.` or, where the bound cut something off, `x` and the
 * number of resources left out. Problems come first, so that a cut removes other lines.
 *
 * It keeps to standard macros, optional types and the strings extension, which every OCM with condition rules has, and
 * to a fixed number of passes over each list, so that its cost is linear in the size of the Application.
 * `[value].map(v, …)[0]` gives a value a name.
 *
 * Building it takes longer than building the rest of a work: call this once for each configuration.
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
    `${resources}.filter(r, ${HAS_PROBLEM}).map(r, ${resourceLine(short)})`,
    `${resources}.filter(r, !(${HAS_PROBLEM})).map(r, ${resourceLine(short)})`,
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
  return cutToBound(`(${lists.join(' + ')}).join("\\n")`, resources, bound);
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

/** One line for the destination, and one for each source: an Application has `source` or `sources`. */
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
      equalsSpecField(),
    )})`,
    `${list(`${compared}.?source`, 'map')}.map(t, ${source('t')})`,
    `${list(`${compared}.?sources`)}.map(t, ${source('t')})`,
  ];
}

/** Whether the compared sources equal those of the spec: the lines of the sources contain their main fields only. */
function equalsSpecField(): string {
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

/** Argo CD appends new entries; CEL can select the last ones by index only. */
function historyLines(): string {
  const history = list('object.?status.?history');
  const positions = Array.from({ length: HISTORY_LENGTH }, (_, n) => n + 1);
  return `[${positions}].filter(n, n <= ${history}.size()).map(n, ${history}[${history}.size() - n]).map(h, ${line(
    text('h'),
    'string(h.?id.orValue(0))',
    clean('h.?deployedAt'),
    `(${list('h.?revisions')}.size() > 0 ? ${list('h.?revisions')}.join(" ") : h.?revision.orValue(""))${CLEAN}`,
  )})`;
}

/** Cuts the text at the end of a line, and counts the resources whose lines were removed. */
function cutToBound(whole: string, resources: string, bound: number): string {
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
