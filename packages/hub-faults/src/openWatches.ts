import { ServerResponse } from 'node:http';
import { ActiveFault } from './activeFaults';
import { ApiRequest } from './apiRequest';

/** A watch that goes through the proxy. */
export interface OpenWatch {
  readonly request: ApiRequest;
  readonly response: ServerResponse;
  /** The fault that keeps everything from it. */
  silencedBy?: ActiveFault;
}

/** The watches that are open, so that one can fall silent in the middle of its life. */
export class OpenWatches {
  private readonly open = new Set<OpenWatch>();

  add(request: ApiRequest, response: ServerResponse): OpenWatch {
    const watch: OpenWatch = { request, response };
    this.open.add(watch);
    response.on('close', () => this.open.delete(watch));
    return watch;
  }

  /** Watches that still hear something. */
  audible(): OpenWatch[] {
    return [...this.open].filter(watch => !watch.silencedBy);
  }

  /** What was silent would have missed events: it breaks, so that the client notices. */
  breakSilence(removed: readonly ActiveFault[]): void {
    for (const { silencedBy, response } of this.open) {
      if (silencedBy && removed.includes(silencedBy)) {
        response.destroy();
      }
    }
  }
}
