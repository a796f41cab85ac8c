import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  ApplicationRow,
  ClusterState,
  RunningRevision,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { DateTime } from 'luxon';
import { memo } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { rowTitleOf } from '../rowIdentity';
import { oldSync } from '../status/oldStatus';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import {
  HealthLabel,
  PhaseLabel,
  StateLabel,
  SyncLabel,
} from '../status/StatusLabel';
import { StatusShape, useToneClasses } from '../status/StatusShape';
import { useTableStyles } from '../table/tableStyles';
import { Age } from '../time/Age';
import { Clock } from '../time/Clock';
import { Version } from '../version/Version';
import { textsOfVersion, versionText } from '../version/versionText';
import { labelOf } from './rowLabels';

function ClusterMark(props: { readonly cluster: ClusterState }) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { name, available, stale, staleSince } = props.cluster;
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
    <span
      className={classes.mark}
      title={t(
        available === 'False' ? 'table.unhealthyTitle' : 'table.staleTitle',
        { since },
      )}
    >
      {t(available === 'False' ? 'table.unhealthy' : 'table.stale')}
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

/** The version that runs and, while another one is wanted, that one as well. */
function RowVersion(props: {
  readonly row: ApplicationRow;
  readonly sources: readonly Source[];
  readonly revisions: readonly RunningRevision[];
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { sources, revisions } = props;
  const { running, lastRunning, wanted, behind, cluster } = props.row;
  const wantedName = versionText(wanted).name;
  const nameOf = (version: string) =>
    versionText(textsOfVersion(revisions, version), version).name;
  if (!running) {
    return (
      <span
        className={classes.dim}
        title={
          lastRunning
            ? t('version.lastKnown', {
                version: nameOf(lastRunning),
                wanted: wantedName,
              })
            : t('version.neverKnown', { wanted: wantedName })
        }
      >
        {lastRunning && cluster.staleSince
          ? t('version.notKnownSince', {
              time: <Clock at={cluster.staleSince} />,
            })
          : t('version.notKnownWord')}
      </span>
    );
  }
  const runs = (
    <Version
      texts={textsOfVersion(revisions, running)}
      version={running}
      sources={sources}
      tabIndex={-1}
    />
  );
  if (!behind) {
    return runs;
  }
  return (
    <span
      title={t('version.behindTitle', {
        version: nameOf(running),
        wanted: wantedName,
      })}
    >
      {runs}
      <span className={classes.arrow} aria-hidden="true">
        →
      </span>
      <span className={classes.visuallyHidden}>{t('version.wanted')}</span>
      {wantedName}
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
  readonly sources: readonly Source[];
  readonly revisions: readonly RunningRevision[];
  /** Shows the Application's name; for sets with several Applications on a cluster. */
  readonly showApplication: boolean;
  /** Keys of the labels that are columns. */
  readonly labels: readonly string[];
  readonly selected: boolean;
  /** The Tab key reaches this row of the table. */
  readonly active: boolean;
  readonly onOpen: (key: string) => void;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { row, rowKey, selected, onOpen } = props;
  const title = rowTitleOf(row);
  const was = oldSync(row);
  // An old one says nothing about the present, and a success is what Synced says.
  const phase = was || row.phase === 'Succeeded' ? undefined : row.phase;
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
          <ClusterMark cluster={row.cluster} />
        </div>
        {showApplication && (
          <div className={`${classes.dim} ${classes.below}`}>
            {row.application.name}
          </div>
        )}
      </td>
      {props.labels.map(key => {
        const value = labelOf(row, key);
        return (
          <td key={key} role="gridcell" title={value}>
            {value !== undefined && (
              <>
                <span className={classes.inCards}>{key}=</span>
                {value}
              </>
            )}
          </td>
        );
      })}
      <td role="gridcell">
        <StateLabel state={row.state} />
      </td>
      <td role="gridcell">
        <HealthLabel status={row.health} old={row.cluster.stale} />
      </td>
      <td role="gridcell" className={classes.twoLines}>
        <SyncLabel status={row.sync} was={was} />
        {phase && (
          <>
            {' '}
            <PhaseLabel phase={phase} />
          </>
        )}
      </td>
      <td role="gridcell" className={classes.twoLines}>
        <RowVersion
          row={row}
          sources={props.sources}
          revisions={props.revisions}
        />
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
