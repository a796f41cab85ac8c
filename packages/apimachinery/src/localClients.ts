import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { failureStatus } from './status';

/** With any port. */
const LOCAL_HOST = /^(127(\.\d{1,3}){3}|\[::1\]|localhost)(:\d+)?$/i;

/**
 * Refuses what a browser sends for a page, with 403. A server on the loopback interface that asks for no credentials
 * would obey every page that its user opens: a page of another origin is named in `Origin`, and one whose name was made
 * to resolve to this machine is named in `Host`.
 * @param address - that the server listens on, where it is another one
 */
export function forLocalClients(
  listener: RequestListener,
  address?: string,
): RequestListener {
  return (request, response) => {
    const problem = problemOf(request.headers, address);
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
  address: string | undefined,
) {
  if (origin !== undefined) {
    return `the request is that of a web page (Origin ${JSON.stringify(origin)})`;
  }
  return LOCAL_HOST.test(host) || host.replace(/:\d+$/, '') === address
    ? undefined
    : `the request is for another host (Host ${JSON.stringify(host)})`;
}
