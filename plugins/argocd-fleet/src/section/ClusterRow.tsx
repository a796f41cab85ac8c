import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  ApplicationRow,
  ClusterState,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { DateTime } from 'luxon';
import { memo } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { rowTitleOf } from '../rowIdentity';
import { Revision } from '../source/Revision';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import { HealthLabel, PhaseLabel, SyncLabel } from '../status/StatusLabel';
import { StatusShape, useToneClasses } from '../status/StatusShape';
import { useTableStyles } from '../table/tableStyles';
import { Age } from '../time/Age';

function ClusterMark(props: { readonly cluster: ClusterState }) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { name, stale, staleSince } = props.cluster;
  // A cluster without ManagedCluster is never stale: nothing is known against it.
  if (!name || !stale) {
    return null;
  }
  const since = staleSince
    ? t('table.staleSince', {
        age: DateTime.fromISO(staleSince).toLocaleString(DateTime.DATETIME_MED),
      })
    : '';
  return (
    <span className={classes.mark} title={t('table.staleTitle', { since })}>
      {t('table.stale')}
    </span>
  );
}

/** What is wrong, with the shape and colour of its severity. */
function FirstError(props: {
  readonly problem: NonNullable<ApplicationRow['problem']>;
}) {
  const classes = useTableStyles();
  const tones = useToneClasses();
  const { severity, title } = props.problem;
  const presentation = SEVERITY_PRESENTATION[severity];
  return (
    <span className={`${classes.named} ${tones[presentation.tone]}`}>
      <StatusShape of={presentation} />
      <span className={classes.shrink}>{title}</span>
    </span>
  );
}

/** The revision that runs and, while another one is wanted, that one as well. */
function RowRevisions(props: {
  readonly row: ApplicationRow;
  readonly source: Source | undefined;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { source } = props;
  const { running, revision, behind } = props.row;
  if (!running) {
    return (
      <span
        className={classes.dim}
        title={revision && t('table.notKnownTitle', { wanted: revision })}
      >
        {t('table.notKnown')}
      </span>
    );
  }
  if (!behind || !revision) {
    return <Revision revision={running} source={source} tabIndex={-1} />;
  }
  return (
    <span title={t('table.behindTitle', { running, wanted: revision })}>
      <Revision revision={running} source={source} tabIndex={-1} />
      <span className={classes.arrow} aria-hidden="true">
        →
      </span>
      <span className={classes.visuallyHidden}>{t('table.wanted')}</span>
      <Revision revision={revision} source={source} tabIndex={-1} />
    </span>
  );
}

/** Row of one Application on one cluster. */
function Row(props: {
  readonly row: ApplicationRow;
  readonly rowKey: string;
  /** Index among all rows, from 0. */
  readonly index: number;
  readonly measureRef: ((element: HTMLElement | null) => void) | undefined;
  readonly source: Source | undefined;
  /** Shows the Application's name; for sets with several Applications on a cluster. */
  readonly showApplication: boolean;
  readonly selected: boolean;
  /** The Tab key reaches this row of the table. */
  readonly active: boolean;
  readonly onOpen: (key: string) => void;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { row, rowKey, source, selected, onOpen } = props;
  const title = rowTitleOf(row);
  const showApplication = props.showApplication && Boolean(row.cluster.name);
  return (
    <tr
      className={`${classes.row} ${selected ? classes.selected : ''}`}
      ref={props.measureRef}
      data-index={props.index}
      // Counts from 1, and the heading is row 1.
      aria-rowindex={props.index + 2}
      onClick={event => {
        // The drawer returns the focus to where it was.
        event.currentTarget.querySelector('button')?.focus();
        onOpen(rowKey);
      }}
    >
      <td role="gridcell">
        <div className={classes.named}>
          <button
            type="button"
            className={classes.open}
            aria-haspopup="dialog"
            aria-label={t('table.open', {
              cluster: showApplication
                ? `${title} ${row.application.name}`
                : title,
            })}
            title={title}
            tabIndex={props.active ? 0 : -1}
          >
            {title}
          </button>
          {showApplication && (
            <span className={`${classes.dim} ${classes.shrink}`}>
              {row.application.name}
            </span>
          )}
          <ClusterMark cluster={row.cluster} />
        </div>
      </td>
      <td role="gridcell">
        <HealthLabel status={row.health} />
      </td>
      <td role="gridcell">
        <SyncLabel status={row.sync} />
      </td>
      <td role="gridcell" className={classes.optional}>
        {row.phase && <PhaseLabel phase={row.phase} />}
      </td>
      <td role="gridcell">
        <RowRevisions row={row} source={source} />
      </td>
      <td role="gridcell" className={classes.dim}>
        {row.since && <Age at={row.since} as="for" />}
      </td>
      <td role="gridcell" className={classes.error} title={row.problem?.title}>
        {row.problem && <FirstError problem={row.problem} />}
      </td>
    </tr>
  );
}

/** Memoised: an update re-renders only the rows that changed, of thousands. */
export const ClusterRow = memo(Row);
