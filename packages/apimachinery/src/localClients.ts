import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { failureStatus } from './status';

/** With any port. */
const LOCAL_HOST = /^(127(\.\d{1,3}){3}|\[::1\]|localhost)(:\d+)?$/i;

/**
 * Refuses what a browser sends for a page, with 403. A server on the loopback interface that asks for no credentials
 * would obey every page that its user opens: a page of another origin is named in `Origin`, and one whose name was made
 * to resolve to this machine is named in `Host`.
 * @param options - `address`: that the server listens on, where it is another one; `ownPages`: whether it has pages of its own,
 * which may send forms
 */
export function forLocalClients(
  listener: RequestListener,
  options: { readonly address?: string; readonly ownPages?: boolean } = {},
): RequestListener {
  return (request, response) => {
    const problem = problemOf(request.headers, options);
    if (!problem) {
      listener(request, response);
      return;
    }
    response.writeHead(403, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify(
        failureStatus(
          403,
          'Forbidden',
          `forbidden: only programs on this machine are answered, and ${problem}`,
        ),
      ),
    );
  };
}

function problemOf(
  { host = '', origin }: IncomingHttpHeaders,
  { address, ownPages }: { address?: string; ownPages?: boolean },
) {
  // A page that another name resolves to this machine for is found by that name, in `Host`.
  const isOwn = ownPages && origin === `http://${host}`;
  if (origin !== undefined && !isOwn) {
    return `the request is that of a web page (Origin ${JSON.stringify(origin)})`;
  }
  return LOCAL_HOST.test(host) || host.replace(/:\d+$/, '') === address
    ? undefined
    : `the request is for another host (Host ${JSON.stringify(host)})`;
}
