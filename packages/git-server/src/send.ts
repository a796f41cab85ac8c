import type { ServerResponse } from 'node:http';

/** Sends JSON; a text is sent as Gitea sends its errors: `{ message }`. */
export function send(
  response: ServerResponse,
  status: number,
  body: object | string,
): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(
    JSON.stringify(typeof body === 'string' ? { message: body } : body),
  );
}
