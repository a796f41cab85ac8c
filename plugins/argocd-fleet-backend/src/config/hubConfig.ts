import type { RootConfigService } from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import { z } from 'zod';
import {
  addressSchema,
  certificatesSchema,
  type ConnectionConfig,
  type RateLimit,
} from '../kubernetes/client';
import type { ControllerMode } from '../runtime';
import { searchConfigSchema, type SearchConfig } from '../sources/search';
import type { ControllerName } from './controllerNames';

/** One configured hub. */
export interface HubConfig {
  readonly name: string;
  readonly access: ConnectionConfig;
  /**
   * None by default: an API server shares out what it has by itself (API Priority and Fairness) and says 429 when that is enough, which
   * holds back every request to it; and each controller has only so many requests under way.
   */
  readonly rateLimit?: RateLimit;
  /** Modes that controllers have on this hub, other than on all hubs. */
  readonly modes: Readonly<Partial<Record<ControllerName, ControllerMode>>>;
  /** RHACM's Search on this hub, where it is to be asked. */
  readonly search?: SearchConfig;
}

/** What a controller is allowed to do. */
export const modeSchema = z.enum(['manage', 'observe', 'off']);

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

/** What stands in `argocdFleet.hubs[]`, for these controllers. */
export function hubSchemaFor(controllers: readonly ControllerName[]) {
  return z
    .strictObject({
      name: z
        .string()
        .max(63)
        .regex(
          /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
          'must be lower case letters, digits and hyphens, as it stands in annotations and addresses',
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
      search: searchConfigSchema.optional(),
    })
    .check(({ value: hub, issues }) => {
      for (const [path, message] of problemsOf(hub)) {
        issues.push({ code: 'custom', input: hub, path, message });
      }
    });
}

type ParsedHub = z.infer<ReturnType<typeof hubSchemaFor>>;

/** What does not fit together, and where. */
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
      yield [[key], `is only for a hub with url, and this one has ${given[0]}`];
    }
    return;
  }
  if ((hub.token === undefined) === (hub.tokenFile === undefined)) {
    yield [['token'], 'must be there beside url, or tokenFile, and not both'];
  }
  if (hub.caData !== undefined && hub.caFile !== undefined) {
    yield [['caFile'], 'must not be there beside caData'];
  }
  if (hub.skipTLSVerify && (hub.caData ?? hub.caFile) !== undefined) {
    yield [
      ['skipTLSVerify'],
      'would have caData or caFile mean nothing: leave one of them out',
    ];
  }
}

/**
 * Completes a hub that fits the schema.
 * @param key - where it stands, for messages
 * @throws InputError where it refers to a cluster of Backstage's kubernetes plugin that cannot be used
 */
export function readHub(
  config: RootConfigService,
  hub: ParsedHub,
  key: string,
): HubConfig {
  const modes: Partial<Record<ControllerName, ControllerMode>> = {};
  for (const [controller, { mode } = {}] of Object.entries(hub.controllers)) {
    if (mode) {
      modes[controller as ControllerName] = mode;
    }
  }
  return {
    name: hub.name,
    access: accessOf(config, hub, key),
    rateLimit: hub.rateLimit,
    modes,
    search: hub.search,
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

/** A cluster in `kubernetes.clusterLocatorMethods[].clusters[]`, as far as it says how to get there. */
const clusterSchema = z.object({
  name: z.string(),
  url: addressSchema,
  authProvider: z.literal(
    'serviceAccount',
    'must be serviceAccount for a hub: the others are for the users of the portal, or need software of their own',
  ),
  serviceAccountToken: z
    .string('must be there for a hub')
    .min(1, 'must be there for a hub'),
  skipTLSVerify: z.boolean().optional(),
  caData: certificatesSchema.optional(),
  caFile: z.string().optional(),
});

/**
 * The kubernetes plugin has no service that other plugins could ask for its clusters, so those that stand in the configuration are the
 * ones that can be referred to.
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
      `${key}: there is no cluster "${name}" in kubernetes.clusterLocatorMethods of type config (${names.length > 0 ? `there is ${names.join(', ')}` : 'there is none at all'}). One that the kubernetes plugin finds in another way needs a kubeconfig, or url and token, here`,
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
