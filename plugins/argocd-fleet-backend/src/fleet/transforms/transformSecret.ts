import { createHmac, randomBytes } from 'node:crypto';
import type { Secret } from 'backstage-plugin-argocd-fleet-common';
import stableStringify from 'fast-json-stable-stringify';
import type { StoredSecret } from '../../model/clusterimport';
import { transformMetadata } from './transformObject';

/** Known to this process alone, so that a fingerprint says nothing about a password that could be guessed. */
const KEY = randomBytes(32);

/**
 * Leaves out the values of a Secret, except `name` and `server`, by which Argo CD knows a cluster, and replaces
 * `config` by a fingerprint, which shows whether the credentials are the desired ones. The Secret given is not changed.
 */
export function transformSecret({
  apiVersion,
  kind,
  metadata,
  type,
  data = {},
}: Secret): StoredSecret {
  const { name, server, config } = data;
  return {
    apiVersion,
    kind,
    metadata: transformMetadata(metadata),
    type,
    data: {
      ...(name !== undefined && { name }),
      ...(server !== undefined && { server }),
    },
    ...(config !== undefined && {
      configFingerprint: configFingerprint(config),
    }),
  };
}

/** The same for the same JSON, whatever its whitespace and the order of its keys. @param config - base64 */
export function configFingerprint(config: string): string {
  const text = Buffer.from(config, 'base64').toString('utf8');
  return createHmac('sha256', KEY).update(canonical(text)).digest('hex');
}

function canonical(text: string): string {
  try {
    return stableStringify(JSON.parse(text));
  } catch {
    // Argo CD will report what is wrong with it.
    return text;
  }
}
