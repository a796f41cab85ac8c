import { createHmac, randomBytes } from 'node:crypto';
import type { Secret } from 'backstage-plugin-argocd-fleet-common';
import { transformObject } from './transformObject';

/** Known to this process alone, so that a fingerprint says nothing about a password that could be guessed. */
const KEY = randomBytes(32);

/**
 * Leaves out the values of a Secret, but for `name` and `server`, by which Argo CD knows a cluster, and a fingerprint of `config`, which
 * tells whether the credentials are those that they should be. The object given is not changed.
 */
export function transformSecret(secret: Secret): Secret {
  const { name, server, config } = secret.data ?? {};
  const { type, apiVersion, kind, metadata } = transformObject(secret);
  return {
    apiVersion,
    kind,
    metadata,
    type,
    data: {
      ...(name !== undefined && { name }),
      ...(server !== undefined && { server }),
      ...(config !== undefined && { config: configFingerprint(config) }),
    },
  };
}

/** The same for the same JSON, in whatever order and form it is written. @param config - base64 */
export function configFingerprint(config: string): string {
  const text = Buffer.from(config, 'base64').toString('utf8');
  return createHmac('sha256', KEY).update(canonical(text)).digest('hex');
}

function canonical(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort())
        : value,
    );
  } catch {
    // Argo CD will say what is wrong with it.
    return text;
  }
}
