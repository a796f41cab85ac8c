import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type {
  ApplicationRow,
  ApplicationSetRows,
  Cause,
} from 'backstage-plugin-argocd-fleet-common';
import { useMemo } from 'react';
import { ClusterDrawer } from '../drawer/ClusterDrawer';
import { useOpenRow } from '../drawer/useOpenRow';
import type { LiveState } from '../live/liveQuery';
import { argocdFleetTranslationRef } from '../messages';
import { HubNotice } from '../notice/HubNotice';
import { rowKeyOf } from '../rowIdentity';
import { CausesStrip } from './CausesStrip';
import { ClusterTable } from './ClusterTable';
import { EmptySetNotice } from './EmptySetNotice';
import { ExcludedLine } from './ExcludedLine';
import { LabelTools } from './LabelTools';
import { clusterLabelsOf } from './rowLabels';
import {
  clustersBehind,
  filterRows,
  sortRows,
  type RowFilter,
  type RowSort,
} from './rows';
import { SectionHeader } from './SectionHeader';
import { SetFindings } from '../findings/SetFindings';
import { StateFilters } from './StateFilters';
import { TableTools } from './TableTools';
import { NothingMatches } from '../table/NothingMatches';
import { useTableStyles } from '../table/tableStyles';
import { useHeldOrder } from '../table/useHeldOrder';
import { useSectionState } from './useSectionState';
import { useTableLines } from './useTableLines';
import { useTableLayout } from '../table/useTableLayout';
import { SetHeadline } from '../status/SetHeadline';
import { VersionLine } from '../version/VersionLine';
import { textsOfVersion } from '../version/versionText';

const useStyles = makeStyles(
  {
    section: { marginBottom: 32 },
    headline: { fontSize: 18, fontWeight: 500, margin: '2px 0 8px' },
    versions: { margin: '0 0 14px' },
  },
  { name: 'ArgocdFleetSection' },
);

interface View {
  readonly filter: RowFilter;
  readonly sort: RowSort;
}

const sortFor = (rows: readonly ApplicationRow[], { sort }: View) =>
  sortRows(rows, sort);

/** Rows that match the filter, in an order that updates do not change. */
function useShownRows(
  applications: readonly ApplicationRow[],
  causes: readonly Cause[],
  filter: RowFilter,
  sort: RowSort,
) {
  const matching = useMemo(
    () => filterRows(applications, filter, causes),
    [applications, filter, causes],
  );
  const view = useMemo(() => ({ filter, sort }), [filter, sort]);
  return useHeldOrder(matching, view, sortFor, rowKeyOf);
}

/** One ApplicationSet: summary, causes of failures, cluster table and drawer. */
export function FleetSection(props: {
  readonly set: ApplicationSetRows;
  readonly live: LiveState<unknown>;
  readonly via?: string;
  /** Whether that is shown beside the name. */
  readonly showVia?: boolean;
  /** False where the page's heading already has the name. */
  readonly showName?: boolean;
  /** Keeps several sections of one page apart in the URL. */
  readonly urlPrefix?: string;
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { set, live, via, showName = true, urlPrefix = '' } = props;
  const { applications, causes, summary } = set;
  const { state, choose, search, clearFilter, setSort, ...change } =
    useSectionState(urlPrefix);
  const { filter, sort, groupBy } = state;
  const { openRow, open, move, close } = useOpenRow(urlPrefix);
  const { layout, ref: layoutRef } = useTableLayout();

  const shown = useShownRows(applications, causes, filter, sort);
  const table = useTableLines(shown.items, groupBy);
  const labels = useMemo(() => clusterLabelsOf(applications), [applications]);
  const rows = table.lines.filter(line => 'row' in line);
  const cause = causes.find(({ id }) => id === filter.cause);
  const openIndex = openRow ? rows.findIndex(({ id }) => id === openRow) : -1;
  const moveTo = (index: number) => {
    const row = openIndex < 0 ? undefined : rows[index];
    return row && (() => move(row.id));
  };

  return (
    <section className={classes.section} aria-label={set.ref.name}>
      <SectionHeader
        set={set}
        live={live}
        via={via}
        showVia={props.showVia}
        showName={showName}
      />
      <HubNotice hub={set.hubState} hasData={applications.length > 0} />
      <SetFindings
        findings={set.findings.filter(
          // What its rows have too is a cause, below.
          ({ code }) => !causes.some(({ finding }) => finding?.code === code),
        )}
      />
      {applications.length === 0 ? (
        <EmptySetNotice set={set} />
      ) : (
        <>
          <div className={classes.headline}>
            <SetHeadline set={set} />
          </div>
          <div className={classes.versions}>
            <VersionLine
              set={set}
              chosen={filter}
              onChoose={choice => choose(choice ?? {})}
            />
          </div>
          <StateFilters
            summary={summary}
            behind={clustersBehind(applications)}
            filter={filter}
            onChoose={choose}
          />
          <CausesStrip
            causes={causes}
            selected={filter.cause}
            onSelect={id => choose(id ? { cause: id } : {})}
          />
          <div className={tableClasses.panel} ref={layoutRef} tabIndex={-1}>
            <TableTools
              filter={filter}
              causeTitle={cause?.title}
              versionTexts={
                filter.running
                  ? textsOfVersion(set.revisions, filter.running)
                  : undefined
              }
              shown={shown.items.length}
              total={applications.length}
              worstFirst={sort.column === 'worst'}
              moved={shown.moved}
              onText={search}
              onClear={clearFilter}
              onSortAgain={shown.sortAgain}
              allFolded={table.allFolded}
              onFoldAll={table.toggleAll}
            >
              <LabelTools
                labels={labels}
                columns={state.labels}
                groupBy={groupBy}
                onColumns={change.setLabels}
                onGroupBy={change.setGroupBy}
              />
            </TableTools>
            {shown.items.length > 0 ? (
              <ClusterTable
                key={layout}
                name={set.ref.name}
                lines={table.lines}
                sources={set.sources}
                revisions={set.revisions}
                showApplication={
                  summary.applications >
                  summary.clusters + (summary.withoutCluster ?? 0)
                }
                labels={state.labels}
                layout={layout}
                sort={sort}
                onSort={setSort}
                openRow={openRow}
                onOpen={open}
                onToggle={table.toggle}
              />
            ) : (
              <NothingMatches
                text={t(
                  filter.cause && !cause
                    ? 'table.causeGone'
                    : 'table.nothingMatches',
                )}
                onClear={clearFilter}
              />
            )}
          </div>
        </>
      )}
      <ExcludedLine excluded={set.excluded} />
      <ClusterDrawer
        openRow={openRow}
        row={applications.find(row => rowKeyOf(row) === openRow)}
        set={set.ref}
        sources={set.sources}
        onPrevious={moveTo(openIndex - 1)}
        onNext={moveTo(openIndex + 1)}
        onClose={close}
      />
    </section>
  );
}
