import { errorApiRef, useApi } from '@backstage/core-plugin-api';
import type {
  ApplicationSet,
  LinkedEntity,
  LinkList,
} from 'backstage-plugin-argocd-fleet-common';
import { useEffect, useState } from 'react';
import { argocdFleetApiRef } from '../api';
import { refKey } from '../objectRef';

/** The components that an ApplicationSet is linked to, as far as the user may see them. */
export type ComponentsOf = (
  set: Pick<ApplicationSet, 'ref'>,
) => readonly LinkedEntity[];

/** Joins components with the ApplicationSets that they are linked to. */
export function linkedComponents({ items }: LinkList): ComponentsOf {
  const found = new Map(
    items.map(({ ref, entities }) => [
      refKey(ref),
      entities.filter(({ entityRef }) => entityRef.startsWith('component:')),
    ]),
  );
  return ({ ref }) => found.get(refKey(ref)) ?? [];
}

const NOTHING: ComponentsOf = () => [];

/** Reads the linked components once. */
export function useLinkedComponents(): ComponentsOf {
  const api = useApi(argocdFleetApiRef);
  const errors = useApi(errorApiRef);
  const [componentsOf, setComponentsOf] = useState(() => NOTHING);
  useEffect(() => {
    const aborted = new AbortController();
    const { signal } = aborted;
    api.listLinks({ signal }).then(
      links => {
        if (!signal.aborted) {
          const found = linkedComponents(links);
          setComponentsOf(() => found);
        }
      },
      error => {
        if (!signal.aborted) {
          // The list is complete without them.
          errors.post(error, { hidden: true });
        }
      },
    );
    return () => aborted.abort();
  }, [api, errors]);
  return componentsOf;
}
