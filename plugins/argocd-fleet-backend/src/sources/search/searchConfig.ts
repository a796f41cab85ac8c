import { ConfigReader, readDurationFromConfig } from '@backstage/config';
import { durationToMilliseconds, type JsonValue } from '@backstage/types';
import { isNamespaceName } from 'backstage-plugin-argocd-fleet-common';
import { z } from 'zod';
import {
  addressSchema,
  certificatesSchema,
  type UrlAccess,
} from '../../kubernetes/client';

/** How RHACM's Search of one hub is queried. */
export interface SearchConfig {
  /** The certificate is always verified. */
  readonly access: Omit<UrlAccess, 'skipTLSVerify'>;
  /** Clusters in one search. */
  readonly batchSize: number;
  /** Searches at the same time. */
  readonly concurrency: number;
  /** Milliseconds until a search times out. */
  readonly timeoutMs: number;
  /** Largest number of Applications, and of related items, in the answer of one search. */
  readonly limit: number;
}

const DEFAULT_TIMEOUT = { seconds: 30 };

/** The service of RHACM's Search on the hub, in the namespace of RHACM. */
const DEFAULT_SERVICE = { domain: 'cluster.local', port: 4010 };

const DOMAIN = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Undefined where the value is not a duration. */
function millisecondsOf(duration: JsonValue): number | undefined {
  try {
    const config = new ConfigReader({ duration });
    return durationToMilliseconds(
      readDurationFromConfig(config, { key: 'duration' }),
    );
  } catch {
    return undefined;
  }
}

/** Schema of `argocdFleet.hubs[].search`. */
export const searchConfigSchema = z
  .strictObject({
    url: addressSchema.optional(),
    namespace: z
      .string()
      .refine(isNamespaceName, 'must be the name of a namespace')
      .optional(),
    domain: z
      .string()
      .regex(
        DOMAIN,
        'must be the DNS domain of the cluster, for example cluster.local',
      )
      .optional(),
    port: z.int().min(1).max(65_535).optional(),
    token: z.string().min(1).optional(),
    tokenFile: z.string().min(1).optional(),
    caData: certificatesSchema.optional(),
    caFile: z.string().min(1).optional(),
    batchSize: z.int().min(1).max(1_000).default(50),
    concurrency: z.int().min(1).max(20).default(4),
    timeout: z.json().default(DEFAULT_TIMEOUT),
    limit: z.int().min(1).max(100_000).default(10_000),
  })
  .check(({ value: search, issues }) => {
    const problem = (path: string, message: string) =>
      issues.push({ code: 'custom', input: search, path: [path], message });
    if (search.url !== undefined) {
      for (const key of ['namespace', 'domain', 'port'] as const) {
        if (search[key] !== undefined) {
          problem(key, 'must not be set together with url');
        }
      }
    }
    if ((search.token === undefined) === (search.tokenFile === undefined)) {
      problem('token', 'set either token or tokenFile, and not both');
    }
    if (search.caData !== undefined && search.caFile !== undefined) {
      problem('caFile', 'must not be set together with caData');
    }
    if (!millisecondsOf(search.timeout)) {
      problem(
        'timeout',
        'must be a positive duration, for example { seconds: 30 }',
      );
    }
  })
  .transform(({ timeout, ...search }) => ({
    ...search,
    timeoutMs: millisecondsOf(timeout)!,
  }));

/**
 * Completes what the schema accepts.
 * @param rhacmNamespace - of the hub
 */
export function readSearch(
  search: z.infer<typeof searchConfigSchema>,
  rhacmNamespace: string,
): SearchConfig {
  const { token, tokenFile, caData, caFile } = search;
  const { batchSize, concurrency, timeoutMs, limit } = search;
  const {
    namespace = rhacmNamespace,
    domain = DEFAULT_SERVICE.domain,
    port = DEFAULT_SERVICE.port,
    url = `https://search-search-api.${namespace}.svc.${domain}:${port}/searchapi/graphql`,
  } = search;
  return {
    access: { url, token, tokenFile, caData, caFile },
    batchSize,
    concurrency,
    timeoutMs,
    limit,
  };
}
