import type { IncomingMessage, ServerResponse } from 'node:http';

/** With any port. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|localhost)(:\d+)?$/i;

/**
 * Refuses requests for other hosts, with 403, where the portal listens on the loopback interface only: its visitors sign
 * in as a guest without a password, so any web page whose name was made to resolve to this machine could use it as them.
 * Such a name is in `Host`. A portal that listens elsewhere is reached by the names of its proxies and probes.
 */
export function forLocalHosts(backend: {
  readonly baseUrl: string;
  /** The address that it listens on. */
  readonly listenHost?: string;
}) {
  const { baseUrl, listenHost = '' } = backend;
  const { host: own } = new URL(baseUrl);
  return (
    { headers: { host = '' } }: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ): void => {
    if (!LOOPBACK.test(listenHost) || LOOPBACK.test(host) || host === own) {
      next();
      return;
    }
    response.writeHead(403, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({
        error: {
          name: 'NotAllowedError',
          message: `This portal answers for ${own} only (backend.baseUrl), and the request is for another host (Host ${JSON.stringify(host)}). Open ${baseUrl}`,
        },
      }),
    );
  };
}
