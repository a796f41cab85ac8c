/** Every text that one of the expressions below can match contains one of these: most texts are read only once. */
const SUSPICIOUS =
  /bearer|authorization|token|secret|passw|key|gh[opsru]_|github_pat_|gl[a-z]{2,6}-|AKIA|ASIA|eyJ|xox[abpr]-/i;

/** Tokens whose shape tells what they are: of GitHub, GitLab, AWS and Slack, and JSON Web Tokens. */
const SHAPES =
  /(?<![\w-])(?:gh[opsru]_[A-Za-z\d]{20,}|github_pat_\w{20,}|gl[a-z]{2,6}-[\w-]{16,}|(?:AKIA|ASIA)[A-Z\d]{16}|xox[abpr]-[\w-]{10,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/g;

/** Values of headers. A challenge of a server (`Bearer realm="…"`) is none, and neither is a word of a sentence. */
const HEADERS =
  /(authorization["']?\s{0,8}[:=]\s{0,8}["']?(?:basic|bearer|token)\s+|\bbearer\s+(?![a-z_]+=["'])(?=[\w.~+/=-]*[\d._~+/=]|\S{20}))[\w.~+/=-]{4,}/gi;

/** Values of parameters, also in JSON. */
const PARAMETERS =
  /((?:token|secret|password|passwd|api[_-]?key|access[_-]?key)(?:=["']?|\\?["']\s{0,8}:\s{0,8}\\?["']))[^\s"'&,;\\…]+/gi;

/** A text without values of headers and parameters that authenticate, and without tokens of well-known shapes. */
export function withoutTokens(text: string): string {
  return SUSPICIOUS.test(text)
    ? text
        .replace(SHAPES, '…')
        .replace(HEADERS, '$1…')
        .replace(PARAMETERS, '$1…')
    : text;
}
