import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ApiRequest } from './apiRequest';

/** Continue tokens remembered; a list whose token was dropped counts as one on its second page. */
const TOKEN_LIMIT = 10_000;

/** Numbers the pages of lists by the continue tokens in the responses. */
export class ListPages {
  private readonly pages = new Map<string, number>();

  /** The page that a request reads, from 1; an unknown token counts as that of the second page. */
  pageOf({ url }: ApiRequest): number {
    const token = url.searchParams.get('continue');
    return token ? (this.pages.get(token) ?? 2) : 1;
  }

  /** Reads a response, remembers the token of the next page, and returns the body. */
  async recordNextPage(
    request: ApiRequest,
    response: Readable,
  ): Promise<string> {
    const body = await text(response);
    const token = nextToken(body);
    if (token) {
      this.pages.set(token, this.pageOf(request) + 1);
      if (this.pages.size > TOKEN_LIMIT) {
        const [oldest] = this.pages.keys();
        this.pages.delete(oldest);
      }
    }
    return body;
  }
}

function nextToken(body: string): string | undefined {
  try {
    const list = JSON.parse(body) as { metadata?: { continue?: string } };
    return list.metadata?.continue || undefined;
  } catch {
    // Not a list in JSON: the client receives it unchanged.
    return undefined;
  }
}
