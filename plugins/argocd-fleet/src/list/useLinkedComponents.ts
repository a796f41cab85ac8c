import { stringifyEntityRef, type Entity } from '@backstage/catalog-model';
import { CATALOG_FILTER_EXISTS } from '@backstage/catalog-client';
import { errorApiRef, useApi, useApiHolder } from '@backstage/core-plugin-api';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  parseApplicationSetAnnotation,
  type ApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import { useEffect, useState } from 'react';

/** A component with links to ApplicationSets. */
export interface LinkedComponent {
  /** The component's entity reference. */
  readonly ref: string;
  /** That of its owner. */
  readonly owner: string | undefined;
}

type Ref = Pick<ApplicationSet['ref'], 'namespace' | 'name'> & {
  readonly hub?: string;
};

const keyOf = ({ hub = '', namespace, name }: Ref) =>
  `${hub}:${namespace}/${name}`;

/** What an ApplicationSet is linked to by annotations of components, as far as the user may see them. */
export type ComponentsOf = (
  set: Pick<ApplicationSet, 'ref'>,
) => readonly LinkedComponent[];

/** Joins components with the ApplicationSets that their annotations name, on any hub where they name none. */
export function linkedComponents(entities: readonly Entity[]): ComponentsOf {
  const found = new Map<string, LinkedComponent[]>();
  for (const entity of entities) {
    const { metadata, spec } = entity;
    const text = metadata.annotations?.[APPLICATION_SET_ENTITY_ANNOTATION];
    const component = {
      ref: stringifyEntityRef(entity),
      owner: typeof spec?.owner === 'string' ? spec.owner : undefined,
    };
    for (const ref of parseApplicationSetAnnotation(text ?? '').refs) {
      const key = keyOf(ref);
      found.set(key, [...(found.get(key) ?? []), component]);
    }
  }
  return ({ ref }) => [
    ...(found.get(keyOf(ref)) ?? []),
    ...(found.get(keyOf({ ...ref, hub: undefined })) ?? []),
  ];
}

const NOTHING: ComponentsOf = () => [];

/** Reads the components from the catalog once, where the app has one. */
export function useLinkedComponents(): ComponentsOf {
  const catalog = useApiHolder().get(catalogApiRef);
  const errors = useApi(errorApiRef);
  const [componentsOf, setComponentsOf] = useState(() => NOTHING);
  useEffect(() => {
    let isCurrent = true;
    catalog
      ?.getEntities({
        filter: {
          [`metadata.annotations.${APPLICATION_SET_ENTITY_ANNOTATION}`]:
            CATALOG_FILTER_EXISTS,
          kind: 'Component',
        },
        fields: [
          'kind',
          'metadata.name',
          'metadata.namespace',
          'metadata.annotations',
          'spec.owner',
        ],
      })
      .then(
        ({ items }) => {
          if (isCurrent) {
            const found = linkedComponents(items);
            setComponentsOf(() => found);
          }
        },
        error => {
          if (isCurrent) {
            // The list is complete without them.
            errors.post(error, { hidden: true });
          }
        },
      );
    return () => {
      isCurrent = false;
    };
  }, [catalog, errors]);
  return componentsOf;
}
