import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  ApplicationSet,
  ApplicationSetList,
} from 'backstage-plugin-argocd-fleet-common';
import { useCallback, useMemo } from 'react';
import { SetFindings } from '../findings/SetFindings';
import { useApplicationSetList } from '../live/queries';
import { argocdFleetTranslationRef } from '../messages';
import { HubNotice } from '../notice/HubNotice';
import { Notice } from '../notice/Notice';
import { RequestNotice } from '../notice/RequestNotice';
import { SectionSkeleton } from '../section/SectionSkeleton';
import { formatSort } from '../table/sorting';
import { useTableStyles } from '../table/tableStyles';
import { useTableLayout } from '../table/useTableLayout';
import { refKey } from '../objectRef';
import { NothingMatches } from '../table/NothingMatches';
import { useHeldOrder } from '../table/useHeldOrder';
import { filterSets, sortSets, type ListSort } from './listRows';
import { ListTools } from './ListTools';
import { SetTable } from './SetTable';
import { useLinkedComponents } from './useLinkedComponents';
import { useListState } from './useListState';

/** Notice for an empty list; renders nothing while a hub is not ready, since the hub's own notice explains that. */
function EmptyList(props: { readonly hubs: ApplicationSetList['hubs'] }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { hubs } = props;
  if (hubs.length === 0) {
    return (
      <Notice kind="hint" title={t('list.noHubs.title')}>
        <p>{t('list.noHubs.body')}</p>
      </Notice>
    );
  }
  if (hubs.some(({ state }) => state !== 'ready')) {
    return null;
  }
  return (
    <Notice kind="hint" title={t('list.empty.title')}>
      <p>
        {t('list.empty.body', {
          hubs: hubs.map(({ name }) => `“${name}”`).join(', '),
        })}
      </p>
    </Notice>
  );
}

const NO_SETS: readonly ApplicationSet[] = [];

const sortFor = (
  sets: readonly ApplicationSet[],
  { sort }: { readonly sort: ListSort },
) => sortSets(sets, sort);

const keyOf = ({ ref }: ApplicationSet) => refKey(ref);

/** Every ApplicationSet on every hub, the most urgent first. */
export function ApplicationSetListContent() {
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const live = useApplicationSetList();
  const { filter, sort, write } = useListState();
  const { layout, ref: layoutRef } = useTableLayout();
  const { data, error } = live;
  const items = data?.items ?? NO_SETS;
  const componentsOf = useLinkedComponents();
  const matching = useMemo(
    () => filterSets(items, filter, componentsOf),
    [items, filter, componentsOf],
  );
  const view = useMemo(() => ({ filter, sort }), [filter, sort]);
  const shown = useHeldOrder(matching, view, sortFor, keyOf);
  const sets = shown.items;
  const onClear = () =>
    write({ q: undefined, model: undefined, state: undefined }, { push: true });
  const onText = useCallback((q: string) => write({ q }), [write]);

  if (!data) {
    return error ? <RequestNotice error={error} /> : <SectionSkeleton />;
  }
  return (
    <>
      {data.hubs.map(hub => (
        <HubNotice
          key={hub.name}
          hub={hub}
          hasData={data.items.some(({ ref }) => ref.hub === hub.name)}
        />
      ))}
      <SetFindings
        findings={[
          ...data.hubs.flatMap(hub => hub.findings ?? []),
          ...(data.findings ?? []),
        ]}
      />
      {data.items.length === 0 ? (
        <EmptyList hubs={data.hubs} />
      ) : (
        <div className={tableClasses.panel} ref={layoutRef} tabIndex={-1}>
          <ListTools
            filter={filter}
            shown={sets.length}
            total={data.items.length}
            onText={onText}
            onModel={model => write({ model }, { push: true })}
            onState={state => write({ state }, { push: true })}
            onClear={onClear}
            moved={shown.moved}
            onSortAgain={shown.sortAgain}
            worstFirst={sort.column === 'worst' && !sort.descending}
            live={live}
            hubs={data.hubs}
          />
          {sets.length > 0 ? (
            <SetTable
              key={layout}
              sets={sets}
              layout={layout}
              sort={sort}
              onSort={next => write({ sort: formatSort(next) })}
              componentsOf={componentsOf}
            />
          ) : (
            <NothingMatches text={t('list.nothingMatches')} onClear={onClear} />
          )}
        </div>
      )}
    </>
  );
}
