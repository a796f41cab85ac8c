import {
  ANNOTATION_LOCATION,
  ANNOTATION_ORIGIN_LOCATION,
  KubernetesValidatorFunctions,
  parseEntityRef,
  stringifyEntityRef,
  type CompoundEntityRef,
  type Entity,
} from '@backstage/catalog-model';
import {
  FLEET_LOCATION_TYPE,
  isFleetLocation,
  type CatalogFields,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * Annotations for the location of an entity. The type is not `url`: for that type the catalog expects a source-code
 * host, and offers a refresh that does nothing.
 */
export function locationAnnotations(target: string): Record<string, string> {
  const location = `${FLEET_LOCATION_TYPE}:${target}`;
  return {
    [ANNOTATION_LOCATION]: location,
    [ANNOTATION_ORIGIN_LOCATION]: location,
  };
}

/** Characters of the address of a repository, which becomes a link. */
const MAX_URL = 2_000;

/** The first repository that a browser can open, as the hosts write it there. */
export function repositoryUrl(
  sources: readonly { readonly repoURL: string }[],
): string | undefined {
  return sources
    .find(
      ({ repoURL }) =>
        /^https?:\/\//.test(repoURL) &&
        repoURL.length <= MAX_URL &&
        URL.canParse(repoURL),
    )
    ?.repoURL.replace(/\.git$/, '');
}

/** Whether this module made an entity of the catalog. */
export function isOwnLocation({ metadata }: Entity): boolean {
  return isFleetLocation(metadata.annotations?.[ANNOTATION_LOCATION]);
}

/**
 * The parts of an entity that the configuration maps from labels and annotations; what the catalog would refuse is left
 * out.
 */
export function mappedParts({
  lifecycle,
  system,
  tags = [],
  annotations,
  links = [],
}: CatalogFields = {}): {
  readonly metadata: Pick<Entity['metadata'], 'tags' | 'links'>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: { readonly lifecycle?: string; readonly system?: string };
} {
  const validTags = [
    ...new Set(tags.map(tag => tag.toLowerCase()).filter(isTag)),
  ];
  const systemRef = system && parseReference(system, 'system');
  return {
    metadata: {
      ...(validTags.length > 0 && { tags: validTags }),
      ...(links.length > 0 && { links: [...links] }),
    },
    annotations: annotations ?? {},
    spec: {
      ...(lifecycle && { lifecycle }),
      ...(systemRef && { system: systemRef }),
    },
  };
}

/** @see https://backstage.io/docs/features/software-catalog/descriptor-format#tags-optional */
function isTag(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9:+#]+(-[a-z0-9:+#]+)*$/.test(text);
}

/**
 * The owner's full entity reference; the kind defaults to group. `undefined` when the text is not a valid reference.
 */
export function parseOwner(text: string): string | undefined {
  return parseReference(text, 'group');
}

function parseReference(text: string, defaultKind: string): string | undefined {
  let owner: CompoundEntityRef;
  try {
    owner = parseEntityRef(text.trim(), { defaultKind });
  } catch {
    return undefined;
  }
  const isValid =
    KubernetesValidatorFunctions.isValidKind(owner.kind) &&
    KubernetesValidatorFunctions.isValidNamespace(owner.namespace) &&
    KubernetesValidatorFunctions.isValidObjectName(owner.name);
  return isValid ? stringifyEntityRef(owner) : undefined;
}
