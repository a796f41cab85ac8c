import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { LoggedRequest } from './hubServer';

/** The fields of an audit event (audit.k8s.io/v1) that the tests use. */
interface AuditEvent {
  readonly verb: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
}

/** The requests of one client in a kube-apiserver's audit log since the log was opened. */
export interface AuditLog {
  /** Includes every answered request, and possibly some unanswered ones. */
  requests(): readonly LoggedRequest[];
  clear(): void;
  close(): void;
}

/** Opens an audit log with one event per request and one line per event, written before the response. */
export function openAuditLog(path: string, userAgent: string): AuditLog {
  const file = openSync(path, 'r');
  const userAgentField = `"userAgent":${JSON.stringify(userAgent)}`;
  let offset = fstatSync(file).size;
  let requests: LoggedRequest[] = [];

  /** Reads the new complete lines; the last line may be incomplete. */
  function readNewLines(): string[] {
    const buffer = Buffer.alloc(fstatSync(file).size - offset);
    const length = readSync(file, buffer, 0, buffer.length, offset);
    const end = buffer.subarray(0, length).lastIndexOf('\n') + 1;
    offset += end;
    return buffer.toString('utf8', 0, end).split('\n');
  }

  return {
    requests() {
      const events = readNewLines()
        .filter(line => line.includes(userAgentField))
        .map((line): AuditEvent => JSON.parse(line));
      requests = requests.concat(
        events.map(({ verb, objectRef }) => ({
          ...{ verb, userAgent },
          ...objectRef,
        })),
      );
      return requests;
    },
    clear() {
      readNewLines();
      requests = [];
    },
    close: () => closeSync(file),
  };
}
