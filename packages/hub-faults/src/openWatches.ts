import { ServerResponse } from 'node:http';
import { ActiveFault } from './activeFaults';
import { ApiRequest } from './apiRequest';

/** A watch through the proxy. */
export interface OpenWatch {
  readonly request: ApiRequest;
  readonly response: ServerResponse;
  /** The fault that withholds its events. */
  silencedBy?: ActiveFault;
}

/** The open watches, so that a fault can silence them at any time. */
export class OpenWatches {
  private readonly open = new Set<OpenWatch>();

  add(request: ApiRequest, response: ServerResponse): OpenWatch {
    const watch: OpenWatch = { request, response };
    this.open.add(watch);
    response.on('close', () => this.open.delete(watch));
    return watch;
  }

  /** Watches that still receive events. */
  receiving(): OpenWatch[] {
    return [...this.open].filter(watch => !watch.silencedBy);
  }

  /** Breaks the watches that these faults silenced: their clients have missed events and must notice. */
  breakSilenced(removed: readonly ActiveFault[]): void {
    for (const { silencedBy, response } of this.open) {
      if (silencedBy && removed.includes(silencedBy)) {
        response.destroy();
      }
    }
  }
}
