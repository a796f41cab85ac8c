import {
  ANNOTATION_SOURCE_LOCATION,
  KubernetesValidatorFunctions,
  type Entity,
} from '@backstage/catalog-model';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  COMPONENT_ANNOTATIONS,
  type InventoryApplicationSet,
  formatApplicationSetAnnotation,
} from 'backstage-plugin-argocd-fleet-common';
import { locationAnnotations, parseOwner } from './entityFields';
import { applicationSetResourceRef } from './resourceNames';

/**
 * Builds a component for every name in the annotations `argocd-fleet/component` of ApplicationSets, so that an
 * application without a catalog file gets into the catalog. Several ApplicationSets with the same name are one
 * component; its title, description and owner are those of the first one by namespace, name and hub.
 */
export function componentEntities(
  applicationSets: readonly InventoryApplicationSet[],
  defaultOwner: string,
): { readonly entities: Entity[]; readonly problems: string[] } {
  const problems: string[] = [];
  const setsByComponent = new Map<string, InventoryApplicationSet[]>();
  for (const set of [...applicationSets].sort(byNamespacedName)) {
    const name = set.annotations?.[COMPONENT_ANNOTATIONS.name];
    if (name === undefined) {
      continue;
    }
    if (!KubernetesValidatorFunctions.isValidObjectName(name)) {
      problems.push(
        `${describeApplicationSet(set)} has the annotation ${
          COMPONENT_ANNOTATIONS.name
        }: ${JSON.stringify(
          name,
        )}, which is not a valid entity name, so the catalog has no component for it: use at most 63 letters, digits, and - _ . between them`,
      );
      continue;
    }
    // The catalog compares names case-insensitively.
    const key = name.toLowerCase();
    setsByComponent.set(key, [...(setsByComponent.get(key) ?? []), set]);
  }
  const entities = [...setsByComponent.values()].map(sets => {
    const ownerText = sets[0].annotations?.[COMPONENT_ANNOTATIONS.owner];
    const owner = ownerText && parseOwner(ownerText);
    if (ownerText && !owner) {
      problems.push(
        `${describeApplicationSet(sets[0])} has the annotation ${
          COMPONENT_ANNOTATIONS.owner
        }: ${JSON.stringify(
          ownerText,
        )}, which is not an entity reference, so its owner is ${defaultOwner}: write it like group:default/my-team`,
      );
    }
    return componentEntity(sets, owner || defaultOwner);
  });
  return { entities, problems };
}

function componentEntity(
  sets: readonly InventoryApplicationSet[],
  owner: string,
): Entity {
  const [first] = sets;
  const {
    [COMPONENT_ANNOTATIONS.name]: name,
    [COMPONENT_ANNOTATIONS.title]: title,
    [COMPONENT_ANNOTATIONS.description]: description,
  } = first.annotations ?? {};
  const repository = first.sources.find(({ repoURL }) =>
    /^https?:\/\//.test(repoURL),
  );
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
          [ANNOTATION_SOURCE_LOCATION]: `url:${repository.repoURL.replace(
            /\.git$/,
            '',
          )}`,
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

function byNamespacedName(
  a: InventoryApplicationSet,
  b: InventoryApplicationSet,
): number {
  return describeApplicationSet(a) < describeApplicationSet(b) ? -1 : 1;
}

function describeApplicationSet({ ref }: InventoryApplicationSet): string {
  return `ApplicationSet ${ref.namespace}/${ref.name} of the hub ${ref.hub}`;
}
