import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { ApplicationSetRows } from 'backstage-plugin-argocd-fleet-common';
import { useMemo } from 'react';
import { ClusterDrawer } from '../drawer/ClusterDrawer';
import { useOpenRow } from '../drawer/useOpenRow';
import type { LiveState } from '../live/liveQuery';
import { argocdFleetTranslationRef } from '../messages';
import { HubNotice } from '../notice/HubNotice';
import { rowKeyOf } from '../rowIdentity';
import { RatioBar } from '../status/RatioBar';
import { healthSegments } from '../status/segments';
import { useBarLabel } from '../status/useBarLabel';
import { findCauses } from './causes';
import { CausesStrip } from './CausesStrip';
import { ClusterTable } from './ClusterTable';
import { EmptySetNotice } from './EmptySetNotice';
import { ExcludedLine } from './ExcludedLine';
import { filterRows, sortRows } from './rows';
import { SectionHeader } from './SectionHeader';
import { SetFindings } from '../findings/SetFindings';
import { SummaryTiles } from './SummaryTiles';
import { TableTools } from './TableTools';
import { useTableStyles } from '../table/tableStyles';
import { useSectionState } from './useSectionState';
import { useTableLayout } from '../table/useTableLayout';

const useStyles = makeStyles(
  {
    section: { marginBottom: 32 },
    bar: { margin: '12px 0 4px' },
  },
  { name: 'ArgocdFleetSection' },
);

/** One ApplicationSet: summary, causes of failures, cluster table and drawer. */
export function FleetSection(props: {
  readonly set: ApplicationSetRows;
  readonly live: LiveState<unknown>;
  readonly via?: string;
  /** False where the page's heading already has the name. */
  readonly showName?: boolean;
  /** Keeps several sections of one page apart in the URL. */
  readonly urlPrefix?: string;
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { set, live, via, showName = true, urlPrefix = '' } = props;
  const { applications, summary } = set;
  const { state, choose, search, clearFilter, setSort } =
    useSectionState(urlPrefix);
  const { filter, sort } = state;
  const { openRow, open, close } = useOpenRow(urlPrefix);
  const { layout, ref: layoutRef } = useTableLayout();

  const causes = useMemo(() => findCauses(applications), [applications]);
  const rows = useMemo(
    () => sortRows(filterRows(applications, filter), sort),
    [applications, filter, sort],
  );
  const segments = useMemo(
    () => healthSegments(summary, applications),
    [summary, applications],
  );
  const barLabel = useBarLabel('health', segments);

  return (
    <section className={classes.section} aria-label={set.ref.name}>
      <SectionHeader set={set} live={live} via={via} showName={showName} />
      <HubNotice hub={set.hubState} hasData={applications.length > 0} />
      <SetFindings findings={set.findings} />
      {applications.length === 0 ? (
        <EmptySetNotice set={set} />
      ) : (
        <>
          <SummaryTiles
            summary={summary}
            filter={filter}
            onChoose={choose}
            onClear={clearFilter}
          />
          <div className={classes.bar}>
            <RatioBar segments={segments} label={barLabel} />
          </div>
          <CausesStrip
            causes={causes}
            selected={filter.cause}
            onSelect={cause => choose(cause ? { cause } : {})}
          />
          <div className={tableClasses.panel} ref={layoutRef}>
            <TableTools
              filter={filter}
              causeTitle={causes.find(({ id }) => id === filter.cause)?.title}
              shown={rows.length}
              total={applications.length}
              worstFirst={sort.column === 'worst'}
              onText={search}
              onClear={clearFilter}
            />
            {rows.length > 0 ? (
              <ClusterTable
                key={layout}
                name={set.ref.name}
                rows={rows}
                source={set.sources[0]}
                showApplication={summary.applications > summary.clusters}
                layout={layout}
                sort={sort}
                onSort={setSort}
                openRow={openRow}
                onOpen={open}
              />
            ) : (
              <div className={tableClasses.empty}>
                {t('table.nothingMatches')}
              </div>
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
        onClose={close}
      />
    </section>
  );
}
