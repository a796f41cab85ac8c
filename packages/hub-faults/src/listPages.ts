import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ApiRequest } from './apiRequest';

/** Tokens remembered; a list that was begun so many pages ago counts as a new one. */
const REMEMBERED = 10_000;

/** Knows which page of its list a request asks for, from the continue tokens that went by. */
export class ListPages {
  private readonly pages = new Map<string, number>();

  /** The page, from 1; a token that was given before anybody looked is taken for the second. */
  pageOf({ url }: ApiRequest): number {
    const token = url.searchParams.get('continue');
    return token ? (this.pages.get(token) ?? 2) : 1;
  }

  /** Reads the token of the next page out of an answer; gives the answer back. */
  async learn(request: ApiRequest, answer: Readable): Promise<string> {
    const body = await text(answer);
    const token = nextToken(body);
    if (token) {
      this.pages.set(token, this.pageOf(request) + 1);
      if (this.pages.size > REMEMBERED) {
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
    // No list in JSON; the client gets it as it is.
    return undefined;
  }
}
