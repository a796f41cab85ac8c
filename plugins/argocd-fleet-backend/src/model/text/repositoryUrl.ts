import { cutText, visibleText } from './shownText';
import { withoutUserInfo } from './urlSecrets';

/** Schemes as Git and the URL parser of a browser read them. */
const SCHEME = /^\s*([a-z][a-z\d+.-]*):[/\\]{2,}|^\s*(https?):/i;

/** The URL of a repository as it is shown and linked: without user info, query and fragment. */
export function shownRepositoryUrl(repoURL: string): string {
  const [address] = repoURL.split(/[?#]/, 1);
  const [prefix = '', scheme, web] = SCHEME.exec(address) ?? [];
  return cutText(
    visibleText(
      prefix
        ? `${prefix}${withoutUserInfo(address.slice(prefix.length), scheme ?? web)}`
        : address,
    ),
  );
}
