import { cutText, visibleText } from './shownText';
import { withoutUserInfo } from './urlSecrets';

/** Schemes as Git and the URL parser of a browser read them. */
const SCHEME = /^\s*([a-z][a-z\d+.-]*):[/\\]{2,}|^\s*(https?):/i;

/** The URL of a repository as it is shown and linked: without user info, query and fragment. */
export function shownRepositoryUrl(repoURL: string): string {
  const [prefix = '', scheme, web] = SCHEME.exec(repoURL) ?? [];
  const address = prefix
    ? `${prefix}${withoutUserInfo(repoURL.slice(prefix.length), scheme ?? web)}`
    : repoURL;
  return cutText(visibleText(address.split(/[?#]/, 1)[0]));
}
