import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { LoggedRequest } from './hubServer';

/** What the tests use of an event of Kubernetes' audit log (audit.k8s.io/v1). */
interface AuditEvent {
  readonly verb: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
}

/** The requests of one client in the audit log of a kube-apiserver, from the time on that it was opened. */
export interface AuditLog {
  /** All that have been answered are there, and perhaps some that have not been yet. */
  requests(): readonly LoggedRequest[];
  clear(): void;
  close(): void;
}

/** Opens an audit log that has one event, and so one line, for each request, written before the request is answered. */
export function openAuditLog(path: string, userAgent: string): AuditLog {
  const file = openSync(path, 'r');
  const mark = `"userAgent":${JSON.stringify(userAgent)}`;
  let offset = fstatSync(file).size;
  let requests: LoggedRequest[] = [];

  /** Takes whole lines only: the last one may still be being written. */
  function readOn(): string[] {
    const buffer = Buffer.alloc(fstatSync(file).size - offset);
    const length = readSync(file, buffer, 0, buffer.length, offset);
    const end = buffer.subarray(0, length).lastIndexOf('\n') + 1;
    offset += end;
    return buffer.toString('utf8', 0, end).split('\n');
  }

  return {
    requests() {
      const events = readOn()
        .filter(line => line.includes(mark))
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
      readOn();
      requests = [];
    },
    close: () => closeSync(file),
  };
}
