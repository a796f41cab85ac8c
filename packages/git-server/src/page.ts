import type { ServerResponse } from 'node:http';

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color-scheme: light dark }
pre { overflow-x: auto; padding: 1rem; border: 1px solid #8884; border-radius: 4px }
.words { white-space: pre-wrap; overflow-wrap: anywhere }
`;

export function listItems(items: readonly string[]): string {
  return `<ul>${items.map(item => `<li>${item}</li>`).join('')}</ul>`;
}

export function link(path: string, text: string): string {
  return `<a href="${escapeText(encodeURI(path))}">${escapeText(text)}</a>`;
}

export function notFound(response: ServerResponse, what: string) {
  sendPage(
    response,
    404,
    'Not found',
    `<p>There is no ${escapeText(what)}.</p>`,
  );
}

export function sendPage(
  response: ServerResponse,
  status: number,
  title: string,
  content: string,
) {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    // The files are anybody's who may push.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
  response.end(
    `<!doctype html><html lang="en"><title>${escapeText(title)}</title><style>${STYLE}</style><h1>${escapeText(title)}</h1>${content}</html>`,
  );
}

export function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;');
}
