import { ServerResponse } from 'node:http';
import { apiVersionOf } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import {
  FieldError,
  fieldForbidden,
  fieldNotSupported,
} from '../api/fieldErrors';
import { expired, invalidOptions } from '../api/statusErrors';
import { collectionOf, HubContext } from '../operations/hubContext';
import {
  compileSelectors,
  ListOptions,
  listObjects,
  parseRevision,
} from '../operations/listObjects';
import { Collection } from '../store/collection';
import { ChangeType, WatchEvent } from '../store/watchEvent';
import { tableHead } from '../table/table';
import { Representation } from './mediaTypes';
import { parseNumber } from './requestOptions';
import { represent, writeChunk } from './responses';

/** Unsent bytes beyond which a watch is closed; kube-apiserver closes the watches of slow clients too. */
const BACKLOG_LIMIT = 64 * 1024 * 1024;

/** Minimum timeout, in seconds, of a watch that requests none; the maximum is twice that, as in kube-apiserver. */
const DEFAULT_TIMEOUT_SECONDS = 1800;

const CHUNK_SIZE = 256 * 1024;

export interface WatchOptions extends ListOptions {
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** Seconds. */
  readonly timeout: number | undefined;
  /** Milliseconds between bookmarks. */
  readonly bookmarkInterval: number;
}

/** Parses and validates the parameters that only watches have. */
export function parseWatchOptions(
  query: URLSearchParams,
  list: ListOptions,
  bookmarkInterval: number,
): WatchOptions {
  const initial = query.get('sendInitialEvents');
  const match = list.resourceVersionMatch;
  const errors: FieldError[] = [];
  if (initial !== null && match !== 'NotOlderThan') {
    errors.push(
      fieldForbidden(
        'resourceVersionMatch',
        'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ),
    );
    if (match) {
      errors.push(
        fieldNotSupported('resourceVersionMatch', match, ['NotOlderThan']),
      );
    }
  }
  if (initial === null && match) {
    errors.push(
      fieldForbidden(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    );
  }
  if (errors.length > 0) {
    throw invalidOptions('ListOptions', errors);
  }
  const timeout = parseNumber(query, 'timeoutSeconds') ?? 0;
  return {
    ...list,
    allowBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
    timeout: timeout > 0 ? timeout : undefined,
    bookmarkInterval,
  };
}

function isTrue(text: string | null): boolean {
  return text === 'true' || text === '1';
}

/** One watch: the initial objects if requested, then every change until it ends. */
export class WatchStream {
  private readonly collection: Collection;
  private readonly matches?: (object: KubernetesObject) => boolean;
  /** Key of the rendered lines of events, which all watchers of the same representation share. */
  private readonly lineKey: string;
  private readonly cleanups: (() => void)[] = [];
  /** Revision up to which this watcher has received all changes. */
  private position: number;
  private ended = false;

  constructor(
    private readonly context: HubContext,
    private readonly resource: ResourceDefinition,
    private readonly namespace: string,
    private readonly options: WatchOptions,
    private readonly representation: Representation,
    private readonly response: ServerResponse,
  ) {
    this.collection = collectionOf(context, resource);
    this.matches = compileSelectors(resource, options);
    this.position = parseRevision(options.resourceVersion) ?? 0;
    this.lineKey = `${resource.version} ${representation.kind} ${representation.include}`;
  }

  /** Serves the watch; the promise settles once it is subscribed to changes. */
  async start(): Promise<void> {
    const { response, options } = this;
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();
    response.on('close', () => this.end());
    const timeout =
      options.timeout ?? DEFAULT_TIMEOUT_SECONDS * (1 + Math.random());
    this.repeat(timeout * 1000, () => this.finish());
    this.cleanups.push(this.collection.onClose(() => this.finish()));
    const sendsInitial = options.sendInitialEvents ?? this.position === 0;
    if (sendsInitial) {
      await this.sendInitial();
    } else if (this.position === 0) {
      this.position = this.context.store.revision;
    }
    await this.catchUp();
  }

  private repeat(milliseconds: number, action: () => void): void {
    const timer = setInterval(action, milliseconds);
    timer.unref();
    this.cleanups.push(() => clearInterval(timer));
  }

  private async sendInitial(): Promise<void> {
    const { items, resourceVersion } = listObjects(
      this.context,
      this.resource,
      this.namespace,
      {
        ...this.options,
        limit: 0,
        resourceVersion: '',
        resourceVersionMatch: '',
        sendInitialEvents: undefined,
      },
    );
    let text = '';
    for (const object of items) {
      text += this.render('ADDED', object);
      if (text.length >= CHUNK_SIZE) {
        await writeChunk(this.response, text);
        text = '';
      }
    }
    if (this.ended) {
      return;
    }
    if (text) {
      this.response.write(text);
    }
    this.position = Number(resourceVersion);
    if (this.options.sendInitialEvents && this.options.allowBookmarks) {
      this.bookmark({ 'k8s.io/initial-events-end': 'true' });
    }
  }

  /** Sends the changes in the history, then subscribes to new ones. */
  private async catchUp(): Promise<void> {
    while (!this.ended) {
      const changes = this.collection.since(this.position);
      if (!changes) {
        this.sendExpired();
        return;
      }
      if (changes.length === 0) {
        this.subscribe();
        return;
      }
      let text = '';
      for (const event of changes) {
        text += this.lineOf(event) ?? '';
        event.releaseLines();
        this.position = event.revision;
        if (text.length >= CHUNK_SIZE) {
          await writeChunk(this.response, text);
          text = '';
        }
      }
      if (text && !this.ended) {
        this.response.write(text);
      }
    }
  }

  private subscribe(): void {
    this.cleanups.push(
      this.collection.subscribe(this.namespace || undefined, event => {
        const line = this.lineOf(event);
        if (line) {
          this.response.write(line);
          if (this.response.writableLength > BACKLOG_LIMIT) {
            this.response.destroy();
          }
        }
      }),
    );
    if (this.options.allowBookmarks) {
      // Only now: a bookmark means that all changes before it were sent.
      this.repeat(this.options.bookmarkInterval, () => this.bookmark());
    }
  }

  /** The line of an event for this watcher, if any: an object may start or cease to match its selectors. */
  private lineOf(event: WatchEvent): string | undefined {
    const { object, previous } = event;
    if (this.namespace && object.metadata.namespace !== this.namespace) {
      return undefined;
    }
    const matches = this.matches ?? (() => true);
    const before = previous !== undefined && matches(previous);
    const after = event.type !== 'DELETED' && matches(object);
    if (!before && !after) {
      return undefined;
    }
    if (after) {
      const type = before ? 'MODIFIED' : 'ADDED';
      return event.line(`${type} ${this.lineKey}`, () =>
        this.render(type, object),
      );
    }
    return event.line(`DELETED ${this.lineKey}`, () => {
      // An object that ceases to match is sent in its last matching state, at the revision of the change.
      const last =
        event.type === 'DELETED'
          ? object
          : {
              ...previous!,
              metadata: {
                ...previous!.metadata,
                resourceVersion: object.metadata.resourceVersion,
              },
            };
      return this.render('DELETED', last);
    });
  }

  private render(type: ChangeType, object: KubernetesObject): string {
    const { resource, representation } = this;
    const entry = represent(
      resource,
      object,
      representation,
      this.context.now(),
    );
    const { resourceVersion } = object.metadata;
    return `${JSON.stringify({
      type,
      object:
        representation.kind === 'table'
          ? { ...tableHead(resource, { resourceVersion }), rows: [entry] }
          : entry,
    })}\n`;
  }

  private bookmark(annotations?: { [key: string]: string }): void {
    const { resource, representation } = this;
    const metadata = {
      resourceVersion: String(
        annotations ? this.position : this.context.store.revision,
      ),
      creationTimestamp: null,
      ...(annotations ? { annotations } : {}),
    };
    const object =
      representation.kind === 'table'
        ? { ...tableHead(resource, metadata), rows: [] }
        : {
            kind:
              representation.kind === 'metadata'
                ? 'PartialObjectMetadata'
                : resource.kind,
            apiVersion:
              representation.kind === 'metadata'
                ? 'meta.k8s.io/v1'
                : apiVersionOf(resource),
            metadata,
          };
    this.response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  }

  private sendExpired(): void {
    const { status } = expired(
      `too old resource version: ${this.position} (${this.collection.compactedRevision})`,
    );
    this.response.write(
      `${JSON.stringify({ type: 'ERROR', object: status })}\n`,
    );
    this.finish();
  }

  private finish(): void {
    if (!this.ended) {
      this.end();
      this.response.end();
    }
  }

  private end(): void {
    this.ended = true;
    for (const cleanup of this.cleanups.splice(0)) {
      cleanup();
    }
  }
}
