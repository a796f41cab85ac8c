import { useApi } from '@backstage/core-plugin-api';
import type {
  ApplicationSetList,
  ApplicationSetRows,
  ArgocdFleetClient,
  ChangedEvent,
  ClusterApplication,
  EntityFleet,
  EntityName,
  ObjectRef,
  PlacementOptionsList,
  PlacementInUse,
  PlacementPreview,
  PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';
import { useMemo } from 'react';
import { argocdFleetApiRef } from '../api';
import { refKey } from '../objectRef';
import { rowKeyOf } from '../rowIdentity';
import { keepUnchanged, type ItemKeys } from './keepUnchanged';
import type { LiveQuery, LiveState } from './liveQuery';
import { requestProblemOf } from './requestProblem';
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

/** @param keys - of the arrays whose items keep their identity while they are equal, wherever they are in the array */
function queryOf<T>(
  api: ArgocdFleetClient,
  query: Pick<LiveQuery<T>, 'concerns'> & {
    /** @param known - the answer before */
    load(signal: AbortSignal, known: T | undefined): Promise<T>;
  },
  keys: ItemKeys,
): LiveQuery<T> {
  let last: T | undefined;
  return {
    ...query,
    load: async signal => {
      last = keepUnchanged(last, await query.load(signal, last), keys);
      return last;
    },
    changes: (signal, onOpen) => api.changes({ signal, onOpen }),
    isPermanent: error =>
      ['forbidden', 'notInstalled', 'notFound'].includes(
        requestProblemOf(error),
      ),
  };
}

const refOf = ({ ref }: { readonly ref: ObjectRef }) => refKey(ref);

/**
 * The ApplicationSets that a catalog entity is linked to, without their Applications, kept live. An entity that left the
 * catalog has none: what was known of it last would look like a connection that is about to come back.
 */
export function useEntityFleet(entity: EntityName): LiveState<EntityFleet> {
  const api = useApi(argocdFleetApiRef);
  const { kind, namespace, name } = entity;
  const query = useMemo(
    () =>
      queryOf<EntityFleet>(
        api,
        {
          load: signal =>
            api.getEntityFleet({ kind, namespace, name }, { signal }),
          concerns: (event, data) =>
            !data || data.links.some(({ ref }) => touches(event, ref)),
        },
        { applicationSets: refOf, links: refOf },
      ),
    [api, kind, namespace, name],
  );
  const live = useLive(query);
  const { error, connection } = live;
  return error && requestProblemOf(error) === 'notFound'
    ? { error, connection }
    : live;
}

/** One ApplicationSet with its rows, kept live. */
export function useApplicationSetRows(
  ref: ObjectRef,
): LiveState<ApplicationSetRows> {
  const api = useApi(argocdFleetApiRef);
  const { hub, namespace, name } = ref;
  const query = useMemo(() => {
    const own = { hub, namespace, name };
    return queryOf<ApplicationSetRows>(
      api,
      {
        load: (signal, known) =>
          api.getApplicationSetRows(own, { signal, known }),
        concerns: event => touches(event, own),
      },
      { applications: rowKeyOf, causes: ({ id }) => id },
    );
  }, [api, hub, namespace, name]);
  return useLive(query);
}

/** One Application in detail, kept live; it is loaded again when its ApplicationSet changes. */
export function useApplication(
  application: ObjectRef,
  set: ObjectRef,
): LiveState<ClusterApplication> {
  const api = useApi(argocdFleetApiRef);
  const { hub, namespace, name } = application;
  const { namespace: setNamespace, name: setName } = set;
  const query = useMemo(
    () =>
      queryOf<ClusterApplication>(
        api,
        {
          load: signal =>
            api.getApplication({ hub, namespace, name }, { signal }),
          concerns: event =>
            touches(event, { hub, namespace: setNamespace, name: setName }),
        },
        {},
      ),
    [api, hub, namespace, name, setNamespace, setName],
  );
  return useLive(query);
}

/** Every ApplicationSet on every hub, kept live. */
export function useApplicationSetList(): LiveState<ApplicationSetList> {
  const api = useApi(argocdFleetApiRef);
  const query = useMemo(
    () =>
      queryOf<ApplicationSetList>(
        api,
        {
          load: signal => api.listApplicationSets({ signal }),
          concerns: () => true,
        },
        { items: refOf },
      ),
    [api],
  );
  return useLive(query);
}

/** What a Placement can be made of on each hub, kept live. */
export function usePlacementOptions(): LiveState<PlacementOptionsList> {
  const api = useApi(argocdFleetApiRef);
  const query = useMemo(
    () =>
      queryOf<PlacementOptionsList>(
        api,
        {
          load: signal => api.listPlacementOptions({ signal }),
          concerns: ({ hubs }) => hubs.length > 0,
        },
        { items: ({ hub }) => hub },
      ),
    [api],
  );
  return useLive(query);
}

/** What the Placement of an ApplicationSet selects, and what another selection would change, kept live. */
export function usePlacementInUse(
  wanted:
    | {
        readonly ref: ObjectRef;
        readonly selection: PlacementSelection | undefined;
      }
    | undefined,
): LiveState<PlacementInUse | undefined> {
  const api = useApi(argocdFleetApiRef);
  // A form makes another object of the same values again and again.
  const key = JSON.stringify(wanted);
  const query = useMemo(() => {
    const asked: typeof wanted = key && JSON.parse(key);
    return queryOf<PlacementInUse | undefined>(
      api,
      {
        load: async signal =>
          asked &&
          api.getPlacementInUse(asked.ref, asked.selection, { signal }),
        concerns: event => asked !== undefined && touches(event, asked.ref),
      },
      {},
    );
  }, [api, key]);
  return useLive(query);
}

/** The clusters that a Placement would select, kept live; no data without a selection. */
export function usePlacementPreview(
  chosen:
    | {
        readonly hub: string;
        readonly namespace: string;
        readonly selection: PlacementSelection;
      }
    | undefined,
): LiveState<PlacementPreview | undefined> {
  const api = useApi(argocdFleetApiRef);
  // A form makes another object of the same values again and again.
  const key = JSON.stringify(chosen);
  const query = useMemo(() => {
    const wanted: typeof chosen = key && JSON.parse(key);
    return queryOf<PlacementPreview | undefined>(
      api,
      {
        load: async signal =>
          wanted && api.previewPlacement(wanted, wanted.selection, { signal }),
        concerns: ({ hubs }) =>
          wanted !== undefined && hubs.includes(wanted.hub),
      },
      {},
    );
  }, [api, key]);
  return useLive(query);
}
