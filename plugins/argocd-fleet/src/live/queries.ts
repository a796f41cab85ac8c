import { useApi } from '@backstage/core-plugin-api';
import type {
  ApplicationSetDetail,
  ApplicationSetList,
  ArgocdFleetClient,
  ChangedEvent,
  EntityFleet,
  EntityName,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import { useMemo } from 'react';
import { argocdFleetApiRef } from '../api';
import { requestProblemOf } from './requestProblem';
import { refKey } from '../objectRef';
import type { LiveQuery, LiveState } from './liveQuery';
import { useLive } from './useLive';

/** Whether an event may have changed the ApplicationSet: it, or its hub, is in the event. */
function touches(
  { hubs, applicationSets }: ChangedEvent,
  ref: ObjectRef,
): boolean {
  return (
    hubs.includes(ref.hub) ||
    applicationSets.some(changed => refKey(changed) === refKey(ref))
  );
}

function queryOf<T>(
  api: ArgocdFleetClient,
  query: Pick<LiveQuery<T>, 'load' | 'concerns'>,
): LiveQuery<T> {
  return {
    ...query,
    changes: (signal, onOpen) => api.changes({ signal, onOpen }),
    isPermanent: error =>
      ['forbidden', 'notInstalled', 'notFound'].includes(
        requestProblemOf(error),
      ),
  };
}

/** The ApplicationSets that a catalog entity is linked to, kept live. */
export function useEntityFleet(entity: EntityName): LiveState<EntityFleet> {
  const api = useApi(argocdFleetApiRef);
  const { kind, namespace, name } = entity;
  const query = useMemo(
    () =>
      queryOf<EntityFleet>(api, {
        load: signal =>
          api.getEntityFleet({ kind, namespace, name }, { signal }),
        concerns: (event, data) =>
          !data || data.links.some(({ ref }) => touches(event, ref)),
      }),
    [api, kind, namespace, name],
  );
  return useLive(query);
}

/** One ApplicationSet, kept live. */
export function useApplicationSet(
  ref: ObjectRef,
): LiveState<ApplicationSetDetail> {
  const api = useApi(argocdFleetApiRef);
  const { hub, namespace, name } = ref;
  const query = useMemo(() => {
    const own = { hub, namespace, name };
    return queryOf<ApplicationSetDetail>(api, {
      load: signal => api.getApplicationSet(own, { signal }),
      concerns: event => touches(event, own),
    });
  }, [api, hub, namespace, name]);
  return useLive(query);
}

/** Every ApplicationSet on every hub, kept live. */
export function useApplicationSetList(): LiveState<ApplicationSetList> {
  const api = useApi(argocdFleetApiRef);
  const query = useMemo(
    () =>
      queryOf<ApplicationSetList>(api, {
        load: signal => api.listApplicationSets({ signal }),
        concerns: () => true,
      }),
    [api],
  );
  return useLive(query);
}
