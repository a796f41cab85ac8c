/** What may be a URL or an address: text to the next space, quotation mark or angle bracket. */
const WORD = /[^\s"`<>]+/g;

/** An authority without user info, as far as it can be told: a port has digits, a password seldom nothing else. */
const HOST_AND_PORT = /^(?:\[[^\]]*\]|[^:@]*)(?::\d*)?$/;

/** Punctuation of the sentence that the URL is in. */
const PUNCTUATION = /(?<![),.:;'\]])[),.:;'\]]+$/;

/** What follows the name of a container image, behind the same character as user info. */
const DIGEST = /^sha\d+:/;

/**
 * A text without user info, queries and parameters in fragments of the URLs in it, all of which accept tokens, and
 * without the passwords of addresses that have no scheme.
 */
export function withoutUrlSecrets(text: string): string {
  return text.includes('://') || text.includes('@')
    ? text.replace(WORD, withoutSecretsOfWord)
    : text;
}

/**
 * What follows `//` in a URL, without user info. Over SSH the user name is part of the address (`git@`) and no secret.
 * @param scheme - or its end
 */
export function withoutUserInfo(rest: string, scheme: string): string {
  const at = userInfoEnd(rest);
  if (at < 0) {
    return rest;
  }
  const [user] = rest.slice(0, at).split(':', 1);
  return scheme.toLowerCase().endsWith('ssh')
    ? `${user}${rest.slice(at)}`
    : rest.slice(at + 1);
}

/** Index of the `@` behind user info, -1 if there is none. A password may contain what would end the authority. */
function userInfoEnd(rest: string): number {
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const at = authority.lastIndexOf('@');
  return HOST_AND_PORT.test(authority.slice(at + 1))
    ? at
    : rest.lastIndexOf('@');
}

function withoutSecretsOfWord(word: string): string {
  const parts = word.split('://');
  const shown = [withoutPassword(parts[0])];
  for (let index = 1; index < parts.length; index += 1) {
    const url = withoutUserInfo(parts[index], parts[index - 1].slice(-3));
    const hidden = parametersStart(url);
    if (hidden >= 0) {
      const punctuation = PUNCTUATION.exec(word)?.[0] ?? '';
      shown.push(`${url.slice(0, hidden + 1)}…${punctuation}`);
      break;
    }
    shown.push(url);
  }
  return shown.join('://');
}

/** Index of the `?` of a query, or of the `#` of a fragment with parameters; -1 if there is neither. */
function parametersStart(url: string): number {
  const start = url.search(/[?#]/);
  return url[start] === '?' || url.includes('=', start) ? start : -1;
}

/** An address without scheme, `user:…@host`. */
function withoutPassword(word: string): string {
  const at = word.lastIndexOf('@');
  const colon = word.indexOf(':');
  const host = word.slice(at + 1);
  return colon > 0 &&
    colon < at &&
    host &&
    !word.slice(0, colon).includes('@') &&
    !DIGEST.test(host)
    ? `${word.slice(0, colon)}:…@${host}`
    : word;
}
