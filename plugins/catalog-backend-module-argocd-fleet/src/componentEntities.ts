import {
  ANNOTATION_LOCATION,
  ANNOTATION_SOURCE_LOCATION,
  type Entity,
} from '@backstage/catalog-model';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  COMPONENT_ANNOTATIONS,
  type InventoryApplicationSet,
  type InventoryComponent,
  applicationSetMatcher,
  componentRef,
  formatApplicationSetAnnotation,
} from 'backstage-plugin-argocd-fleet-common';
import {
  isOwnLocation,
  locationAnnotations,
  parseOwner,
  repositoryUrl,
} from './entityFields';
import { applicationSetResourceRef } from 'backstage-plugin-argocd-fleet-node';

/** An ApplicationSet whose annotations define a component. */
type DefiningSet = InventoryApplicationSet & {
  readonly component: InventoryComponent;
};

/** Entity references of the components that ApplicationSets define, as the catalog writes them: in lower case. */
export function definedComponents(
  applicationSets: readonly InventoryApplicationSet[],
): string[] {
  return [...setsByComponent(applicationSets).keys()];
}

/**
 * Builds a component for every name that ApplicationSets define, so that an application without a catalog file gets into
 * the catalog.
 *
 * Several ApplicationSets with the same name and owner are one component. With different owners they never are: the
 * oldest defines the component, by creation, hub, namespace and name, so that nobody takes over or joins what another
 * team has.
 *
 * @param existing - entities of the catalog, by the references of {@link definedComponents}: one from another location
 *   is never replaced
 */
export function componentEntities(
  applicationSets: readonly InventoryApplicationSet[],
  defaultOwner: string,
  existing: ReadonlyMap<string, Entity>,
): { readonly entities: Entity[]; readonly problems: string[] } {
  const problems: string[] = [];
  const entities: Entity[] = [];
  for (const [ref, sets] of setsByComponent(applicationSets)) {
    const entity = existing.get(ref);
    const isNamed = applicationSetMatcher(
      entity?.metadata.annotations?.[APPLICATION_SET_ENTITY_ANNOTATION],
    );
    const candidates: DefiningSet[] = [];
    for (const set of sets) {
      if (entity && !isOwnLocation(entity)) {
        if (!isNamed(set.ref)) {
          problems.push(
            `${describe(set)} defines ${ref}, which the catalog has from ${
              entity.metadata.annotations?.[ANNOTATION_LOCATION] ??
              'another location'
            }: it stays as it is. Name the ApplicationSet in its annotation ${APPLICATION_SET_ENTITY_ANNOTATION}, or use another name in the annotation ${COMPONENT_ANNOTATIONS.name}`,
          );
        }
      } else if (set.component.existingOnly && !isNamed(set.ref)) {
        problems.push(
          `${describe(set)} defines ${ref}, and its namespace may not define components: add it to argocdFleet.components.namespaces if everyone who may write ApplicationSets there may choose the names and owners of components`,
        );
      } else {
        if (set.component.existingOnly) {
          problems.push(
            `${describe(set)} defines ${ref}, and its namespace may not define components: what the catalog already has of it stays. Set argocdFleet.components.namespaces, with this namespace to go on, or without it to have the component removed`,
          );
        }
        candidates.push(set);
      }
    }
    const [first, ...others] = candidates.sort(byPrecedence);
    if (!first) {
      continue;
    }
    const owner = ownerOf(first);
    const merged = others.filter(set => ownerOf(set) === owner);
    for (const other of others.filter(set => ownerOf(set) !== owner)) {
      problems.push(
        `${describe(other)} defines ${ref} for ${ownerOf(other)}, and the older ${describe(first)} defines it for ${owner}: the component is that of the older one. Use another name in the annotation ${COMPONENT_ANNOTATIONS.name}, or the same owner in ${COMPONENT_ANNOTATIONS.owner}`,
      );
    }
    entities.push(componentEntity([first, ...merged], owner));
  }

  function ownerOf({ component }: DefiningSet): string {
    return (component.owner && parseOwner(component.owner)) || defaultOwner;
  }

  for (const set of applicationSets.filter(isDefining)) {
    const { owner } = set.component;
    if (owner && !parseOwner(owner)) {
      problems.push(
        `${describe(set)} has the annotation ${
          COMPONENT_ANNOTATIONS.owner
        }: ${JSON.stringify(
          owner,
        )}, which is not an entity reference, so its owner is ${defaultOwner}: write it like group:default/my-team`,
      );
    }
  }
  return { entities, problems };
}

function componentEntity(
  sets: readonly [DefiningSet, ...DefiningSet[]],
  owner: string,
): Entity {
  const [first] = sets;
  const { name, title, description } = first.component;
  const repository = repositoryUrl(first.sources);
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name,
      ...(title && { title }),
      ...(description && { description }),
      annotations: {
        ...locationAnnotations(
          `${first.ref.hub}/${first.ref.namespace}/${first.ref.name}`,
        ),
        ...(repository && {
          [ANNOTATION_SOURCE_LOCATION]: `url:${repository}`,
        }),
        [APPLICATION_SET_ENTITY_ANNOTATION]: formatApplicationSetAnnotation(
          sets.map(set => set.ref),
        ),
      },
    },
    spec: {
      type: 'service',
      lifecycle: 'production',
      owner,
      dependsOn: sets.map(set => applicationSetResourceRef(set.ref)),
    },
  };
}

/** By entity reference. */
function setsByComponent(
  applicationSets: readonly InventoryApplicationSet[],
): ReadonlyMap<string, readonly DefiningSet[]> {
  const sets = new Map<string, DefiningSet[]>();
  for (const set of applicationSets.filter(isDefining)) {
    const ref = componentRef(set.component.name);
    const known = sets.get(ref);
    if (known) {
      known.push(set);
    } else {
      sets.set(ref, [set]);
    }
  }
  return sets;
}

function isDefining(set: InventoryApplicationSet): set is DefiningSet {
  return set.component !== undefined;
}

/** The oldest first, also of those that only keep what the catalog has: a newer one does not take that over. */
function byPrecedence(a: DefiningSet, b: DefiningSet): number {
  return precedence(a) < precedence(b) ? -1 : 1;
}

function precedence({ createdAt, ref }: DefiningSet): string {
  const { hub, namespace, name } = ref;
  return JSON.stringify([
    // The API server sets it, in UTC. Whatever has none is not known to be older.
    createdAt ?? '~',
    hub,
    namespace,
    name,
  ]);
}

function describe({ ref }: InventoryApplicationSet): string {
  return `ApplicationSet ${ref.namespace}/${ref.name} of the hub ${ref.hub}`;
}
