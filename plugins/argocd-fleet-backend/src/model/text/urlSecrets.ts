/** From behind the scheme of a URL to its end; a new match begins behind the last one, so each is read once. */
const URL_REST = /:\/\/[^\s"`<>]+/g;

/** Punctuation of the sentence that the URL is in. */
const PUNCTUATION = /(?<![),.:;'\]])[),.:;'\]]+$/;

/** A text without user info and queries of the URLs in it: Git hosts accept tokens in both. */
export function withoutUrlSecrets(text: string): string {
  return text.includes('://')
    ? text.replace(URL_REST, (rest: string, offset: number) => {
        const scheme = text.slice(Math.max(0, offset - 3), offset);
        const shown = withoutUserInfo(rest.slice(3), scheme);
        const query = shown.indexOf('?');
        return query < 0
          ? `://${shown}`
          : `://${shown.slice(0, query)}?…${PUNCTUATION.exec(shown.slice(query))?.[0] ?? ''}`;
      })
    : text;
}

/**
 * What follows `//` in a URL, without user info. Over SSH the user name is part of the address (`git@`) and no secret.
 * @param scheme - or its end
 */
export function withoutUserInfo(rest: string, scheme: string): string {
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const at = authority.lastIndexOf('@');
  if (at < 0) {
    return rest;
  }
  const [user] = authority.split(':', 1);
  return scheme.toLowerCase().endsWith('ssh')
    ? `${user.slice(0, at)}${rest.slice(at)}`
    : rest.slice(at + 1);
}
