// The product's requests to a real hub, from kube-apiserver's audit log.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** User agent of the product's client. */
const PRODUCT = `"userAgent":"argocd-fleet"`;

/** Follows an audit log with one line for each request, written when the request is received. */
export function followAuditLog(path) {
  const file = openSync(path, 'r');
  let offset = fstatSync(file).size;

  function newLines() {
    const buffer = Buffer.alloc(fstatSync(file).size - offset);
    const length = readSync(file, buffer, 0, buffer.length, offset);
    const end = buffer.subarray(0, length).lastIndexOf(10) + 1;
    offset += end;
    return buffer.toString('latin1', 0, end).split('\n');
  }

  return {
    /** The requests since the last call: `at` in milliseconds since the epoch, `verb`, `resource`, `namespace`, `name`. */
    read() {
      return newLines()
        .filter(line => line.includes(PRODUCT))
        .map(line => {
          const { verb, requestReceivedTimestamp, objectRef, requestURI } =
            JSON.parse(line);
          const {
            resource = requestURI,
            namespace,
            name,
            subresource,
          } = objectRef ?? {};
          return {
            at: Date.parse(requestReceivedTimestamp),
            verb,
            resource: subresource ? `${resource}/${subresource}` : resource,
            namespace,
            name,
          };
        });
    },
    close: () => closeSync(file),
  };
}

/** Numbers of requests by verb and resource; the most frequent first. */
export function countRequests(requests) {
  const counts = {};
  for (const { verb, resource } of requests) {
    const kind = `${verb} ${resource}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return Object.fromEntries(
    Object.entries(counts).sort(([, a], [, b]) => b - a),
  );
}
