import type { RootConfigService } from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import { isNamespaceName } from 'backstage-plugin-argocd-fleet-common';
import { z } from 'zod';
import {
  addressSchema,
  certificatesSchema,
  type ConnectionConfig,
  type RateLimit,
} from '../kubernetes/client';
import type { ControllerMode } from '../runtime';
import {
  readSearch,
  searchConfigSchema,
  type SearchConfig,
} from '../sources/search';
import type { ImportOptions } from '../controllers/clusterImport';
import type { PropagationOptions } from '../model/manifestwork';
import type { ComponentPolicy } from '../model/views';
import type { HubWrites } from '../model/writes';
import type { ControllerName } from './controllerNames';
import {
  accountsSchema,
  appNamespacesSchema,
  argocdNamespacesSchema,
  namespaceName,
} from './namespacesConfig';
import { readWriteGrants, writesSchema } from './writesConfig';

/** Where the tenants of a hub may have what done. */
export interface HubScope {
  readonly propagation: PropagationOptions;
  readonly components: ComponentPolicy;
  /** Which GitOpsClusters may import into which Argo CD namespaces, with which accounts. */
  readonly clusterImport: ImportOptions;
}

/** One configured hub. */
export interface HubConfig extends HubScope {
  readonly name: string;
  readonly access: ConnectionConfig;
  /** Names of the Argo CD instances on the hub, as other plugins know them. */
  readonly argocdInstances: readonly string[];
  /** Of the web interface of its Argo CD. */
  readonly argocdUrl?: string;
  /** Further URLs of the hub's API server, which no managed cluster may report as its own. */
  readonly addresses: readonly string[];
  /**
   * None by default: the API server limits requests itself (API Priority and Fairness) and responds 429, which delays
   * the reads or the writes to it. In addition, each controller's concurrency bounds its requests.
   */
  readonly rateLimit?: RateLimit;
  /** Modes of controllers on this hub, where they differ from the mode for all hubs. */
  readonly modes: Readonly<Partial<Record<ControllerName, ControllerMode>>>;
  /** What the portal may write on this hub for its users; nothing without a grant. */
  readonly writes: Pick<HubWrites, 'key' | 'grants'>;
  /** Where RHACM is, or would be, installed on this hub: only there its controllers count. */
  readonly rhacmNamespace: string;
  /** RHACM's Search on this hub; undefined where it is not queried. */
  readonly search?: SearchConfig;
  /** Deletions of ManifestWorks that were held before this time are carried out; milliseconds since the epoch. */
  readonly releaseHeldBefore?: number;
}

/** What a controller may do on a hub. */
export const modeSchema = z.enum(['manage', 'observe', 'off']);

/** Where RHACM's operator installs it, if not told otherwise. */
const DEFAULT_RHACM_NAMESPACE = 'open-cluster-management';

const CONNECTION_KEYS = [
  'kubeconfig',
  'inCluster',
  'url',
  'kubernetesCluster',
] as const;
const URL_ONLY_KEYS = [
  'token',
  'tokenFile',
  'caData',
  'caFile',
  'skipTLSVerify',
] as const;

/** Schema of `argocdFleet.hubs[]`, for these controllers. */
export function hubSchemaFor(controllers: readonly ControllerName[]) {
  return z
    .strictObject({
      name: z
        .string()
        .max(63)
        .regex(
          /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
          'must be lower case letters, digits and hyphens, since it is part of annotations and URLs',
        ),
      kubeconfig: z
        .strictObject({
          path: z.string().min(1),
          context: z.string().min(1).optional(),
        })
        .optional(),
      inCluster: z.literal(true).optional(),
      url: addressSchema.optional(),
      token: z.string().min(1).optional(),
      tokenFile: z.string().min(1).optional(),
      caData: certificatesSchema.optional(),
      caFile: z.string().min(1).optional(),
      skipTLSVerify: z.boolean().optional(),
      kubernetesCluster: z.string().min(1).optional(),
      addresses: z.array(addressSchema).default([]),
      rateLimit: z
        .strictObject({
          requestsPerSecond: z.number().positive(),
          burst: z.int().min(1),
        })
        .optional(),
      controllers: z
        .partialRecord(
          z.enum(controllers),
          z.strictObject({ mode: modeSchema.optional() }),
        )
        .prefault({}),
      rhacmNamespace: z
        .string()
        .refine(isNamespaceName, 'must be the name of a namespace')
        .optional(),
      search: searchConfigSchema.optional(),
      releaseHeldBefore: z.iso
        .datetime({
          offset: true,
          error: 'must be a time in quotes, for example "2026-01-31T12:00:00Z"',
        })
        .optional(),
      writes: writesSchema,
      propagation: z
        .strictObject({
          argocdNamespace: namespaceName.optional(),
          appNamespaces: appNamespacesSchema.optional(),
        })
        .prefault({}),
      argocdInstances: z.array(z.string().min(1)).default([]),
      argocdUrl: addressSchema.optional(),
      components: z
        .strictObject({ namespaces: z.array(namespaceName).optional() })
        .prefault({}),
      clusterImport: z
        .strictObject({
          argocdNamespaces: argocdNamespacesSchema.optional(),
          managedServiceAccounts: accountsSchema.optional(),
        })
        .prefault({}),
    })
    .check(({ value: hub, issues }) => {
      for (const [path, message] of problemsOf(hub)) {
        issues.push({ code: 'custom', input: hub, path, message });
      }
    });
}

type ParsedHub = z.infer<ReturnType<typeof hubSchemaFor>>;

/** Finds keys that contradict each other; yields the path and the message. */
function* problemsOf(hub: ParsedHub): Generator<[string[], string]> {
  const given = CONNECTION_KEYS.filter(way => hub[way] !== undefined);
  if (given.length !== 1) {
    yield [
      [],
      `must have exactly one of kubeconfig: { path, context? }, inCluster: true, url, and kubernetesCluster${
        given.length > 1 ? `, not ${given.join(' and ')}` : ''
      }`,
    ];
    return;
  }
  if (hub.url === undefined) {
    for (const key of URL_ONLY_KEYS.filter(each => hub[each] !== undefined)) {
      yield [
        [key],
        `is only allowed together with url, and this hub has ${given[0]}: remove one of them`,
      ];
    }
    return;
  }
  if ((hub.token === undefined) === (hub.tokenFile === undefined)) {
    yield [
      ['token'],
      'a hub with url needs either token or tokenFile, and not both',
    ];
  }
  if (hub.caData !== undefined && hub.caFile !== undefined) {
    yield [['caFile'], 'must not be set together with caData'];
  }
  if (hub.skipTLSVerify && (hub.caData ?? hub.caFile) !== undefined) {
    yield [
      ['skipTLSVerify'],
      'makes caData and caFile ineffective: remove it, or remove them',
    ];
  }
}

/**
 * Completes a hub that the schema accepts.
 * @param key - the path of its configuration, for messages
 * @throws InputError where it refers to a cluster of Backstage's kubernetes plugin that cannot be used
 */
export function readHub(
  config: RootConfigService,
  hub: ParsedHub,
  key: string,
): Omit<HubConfig, keyof HubScope> {
  const modes: Partial<Record<ControllerName, ControllerMode>> = {};
  for (const [controller, { mode } = {}] of Object.entries(hub.controllers)) {
    if (mode) {
      modes[controller as ControllerName] = mode;
    }
  }
  const { search } = hub;
  const rhacmNamespace =
    hub.rhacmNamespace ?? search?.namespace ?? DEFAULT_RHACM_NAMESPACE;
  return {
    name: hub.name,
    access: accessOf(config, hub, key),
    argocdInstances: hub.argocdInstances,
    argocdUrl: hub.argocdUrl,
    addresses: hub.addresses,
    rateLimit: hub.rateLimit,
    modes,
    writes: readWriteGrants(hub.writes, `${key}.writes`),
    rhacmNamespace,
    search: search && readSearch(search, rhacmNamespace),
    ...(hub.releaseHeldBefore && {
      releaseHeldBefore: Date.parse(hub.releaseHeldBefore),
    }),
  };
}

function accessOf(
  config: RootConfigService,
  hub: ParsedHub,
  key: string,
): ConnectionConfig {
  const { kubeconfig, url, kubernetesCluster } = hub;
  if (kubeconfig) {
    return { kubeconfig };
  }
  if (url !== undefined) {
    const { token, tokenFile, caData, caFile, skipTLSVerify } = hub;
    return { url, token, tokenFile, caData, caFile, skipTLSVerify };
  }
  return kubernetesCluster === undefined
    ? { inCluster: true }
    : clusterAccess(config, kubernetesCluster, `${key}.kubernetesCluster`);
}

/** A cluster in `kubernetes.clusterLocatorMethods[].clusters[]`: the keys that say how to connect. */
const clusterSchema = z.object({
  name: z.string(),
  url: addressSchema,
  authProvider: z.literal(
    'serviceAccount',
    'must be serviceAccount for a hub: other providers use the credentials of portal users, or need additional software',
  ),
  serviceAccountToken: z
    .string('must be set for a hub')
    .min(1, 'must be set for a hub'),
  skipTLSVerify: z.boolean().optional(),
  caData: certificatesSchema.optional(),
  caFile: z.string().optional(),
});

/**
 * The kubernetes plugin offers other plugins no service for its clusters, so only those in the configuration can be
 * used.
 */
function clusterAccess(
  config: RootConfigService,
  name: string,
  key: string,
): ConnectionConfig {
  const clusters = (
    config.getOptionalConfigArray('kubernetes.clusterLocatorMethods') ?? []
  )
    .filter(method => method.getOptionalString('type') === 'config')
    .flatMap(method => method.getOptionalConfigArray('clusters') ?? []);
  const named = clusters.find(
    cluster => cluster.getOptionalString('name') === name,
  );
  if (!named) {
    const names = clusters.map(each => each.getOptionalString('name'));
    throw invalid(
      `${key}: there is no cluster "${name}" in kubernetes.clusterLocatorMethods of type config (${names.length > 0 ? `it has ${names.join(', ')}` : 'it has no clusters'}). For a cluster that the kubernetes plugin finds in another way, set kubeconfig, or url and token`,
    );
  }
  const { data, error } = clusterSchema.safeParse(named.get());
  if (error) {
    throw invalid(
      ...error.issues.map(
        ({ path, message }) =>
          `${key}: ${path.join('.')} of the cluster "${name}" of the kubernetes plugin ${message}`,
      ),
    );
  }
  const { url, serviceAccountToken, skipTLSVerify, caData, caFile } = data;
  return skipTLSVerify
    ? { url, token: serviceAccountToken, skipTLSVerify }
    : { url, token: serviceAccountToken, caData, caFile };
}

function invalid(...problems: readonly string[]): InputError {
  return new InputError(
    `Invalid configuration of Argo CD Fleet:\n${problems.map(problem => `- ${problem}`).join('\n')}`,
  );
}
