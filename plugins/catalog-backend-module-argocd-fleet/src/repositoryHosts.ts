import type { RootConfigService } from '@backstage/backend-plugin-api';
import type { Entity } from '@backstage/catalog-model';
import type { CatalogProcessor } from '@backstage/plugin-catalog-node';
import type { JsonValue } from '@backstage/types';

/** A template with this annotation and the value `configured` offers the source controls of the portal. */
export const REPOSITORY_HOSTS_ANNOTATION = 'argocd-fleet/repository-hosts';

/** The integrations that the templates can publish to, with the host of an entry that names none. */
const INTEGRATIONS = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  gitea: undefined,
  bitbucketCloud: 'bitbucket.org',
};

/**
 * Completes the templates of the scaffolder module: Backstage's field `RepoUrlPicker` offers only hosts that the template
 * names, and a template that is published cannot know those of a portal. It offers those of the configured `integrations`.
 */
export function createRepositoryHostsProcessor(
  config: RootConfigService,
): CatalogProcessor {
  const hosts = configuredHosts(config);
  return {
    getProcessorName: () => 'ArgocdFleetRepositoryHosts',
    async preProcessEntity(entity) {
      return entity.kind === 'Template' &&
        entity.metadata.annotations?.[REPOSITORY_HOSTS_ANNOTATION] ===
          'configured'
        ? ({
            ...entity,
            spec: withHosts(entity.spec as JsonValue, hosts),
          } as Entity)
        : entity;
    },
  };
}

/** Without any, those that Backstage knows without configuration. */
function configuredHosts(config: RootConfigService): string[] {
  const found = Object.entries(INTEGRATIONS).flatMap(([type, host]) =>
    (config.getOptionalConfigArray(`integrations.${type}`) ?? []).flatMap(
      entry => entry.getOptionalString('host') ?? host ?? [],
    ),
  );
  return found.length > 0
    ? [...new Set(found)]
    : Object.values(INTEGRATIONS).filter(host => host !== undefined);
}

/** Every `RepoUrlPicker` without hosts of its own gets these. */
function withHosts(value: JsonValue, hosts: string[]): JsonValue {
  if (Array.isArray(value)) {
    return value.map(each => withHosts(each, hosts));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const copy: Record<string, JsonValue> = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      withHosts(each as JsonValue, hosts),
    ]),
  );
  const options = copy['ui:options'];
  const known =
    typeof options === 'object' && options !== null && !Array.isArray(options)
      ? options
      : {};
  return copy['ui:field'] === 'RepoUrlPicker'
    ? { ...copy, 'ui:options': { allowedHosts: hosts, ...known } }
    : copy;
}
