import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  ClusterApplication,
  ClusterState,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { DateTime } from 'luxon';
import { memo, type KeyboardEvent } from 'react';
import { rowSeverityOf } from '../findings/severity';
import { argocdFleetTranslationRef } from '../messages';
import { rowTitleOf } from '../rowIdentity';
import { Revision } from '../source/Revision';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import { HealthLabel, SyncLabel } from '../status/StatusLabel';
import { StatusShape, useToneClasses } from '../status/StatusShape';
import { useTableStyles } from '../table/tableStyles';
import { Age } from '../time/Age';

function ClusterMark(props: { readonly cluster: ClusterState }) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { name, stale, staleSince, available } = props.cluster;
  if (!name) {
    // The availability of an unknown cluster is not known either.
    return null;
  }
  if (stale) {
    const since = staleSince
      ? t('table.staleSince', {
          age: DateTime.fromISO(staleSince).toLocaleString(
            DateTime.DATETIME_MED,
          ),
        })
      : '';
    return (
      <span className={classes.mark} title={t('table.staleTitle', { since })}>
        {t('table.stale')}
      </span>
    );
  }
  if (available === 'True') {
    return null;
  }
  return (
    <span
      className={classes.mark}
      title={t(
        available === 'False'
          ? 'table.unavailableTitle'
          : 'table.availabilityUnknownTitle',
      )}
    >
      {t('table.unavailable')}
    </span>
  );
}

/** Moves the focus to the next or previous row's button on an arrow key. */
function focusNeighbour(event: KeyboardEvent<HTMLButtonElement>) {
  const row = event.currentTarget.closest('tr');
  const neighbour =
    event.key === 'ArrowDown'
      ? row?.nextElementSibling
      : row?.previousElementSibling;
  const button = neighbour?.querySelector<HTMLButtonElement>('button');
  if (button && ['ArrowDown', 'ArrowUp'].includes(event.key)) {
    event.preventDefault();
    button.focus();
  }
}

/** The first error in the colour of its severity; a shape marks warnings for users who cannot see the colour. */
function FirstError(props: { readonly row: ClusterApplication }) {
  const classes = useTableStyles();
  const tones = useToneClasses();
  const { row } = props;
  const presentation = SEVERITY_PRESENTATION[rowSeverityOf(row) ?? 'error'];
  return (
    <span className={`${classes.named} ${tones[presentation.tone]}`}>
      {presentation.tone !== 'bad' && <StatusShape of={presentation} />}
      <span className={classes.shrink}>{row.error}</span>
    </span>
  );
}

/** Row of one Application on one cluster. */
function Row(props: {
  readonly row: ClusterApplication;
  readonly rowKey: string;
  /** Index among all rows, from 0. */
  readonly index: number;
  readonly measureRef: ((element: HTMLElement | null) => void) | undefined;
  readonly source: Source | undefined;
  /** Shows the Application's name; for sets with several Applications on a cluster. */
  readonly showApplication: boolean;
  readonly selected: boolean;
  readonly onOpen: (key: string) => void;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { row, rowKey, source, selected, onOpen } = props;
  const at = row.since ?? row.statusAt;
  const title = rowTitleOf(row);
  const showApplication = props.showApplication && Boolean(row.cluster.name);
  return (
    <tr
      className={`${classes.row} ${selected ? classes.selected : ''}`}
      ref={props.measureRef}
      data-index={props.index}
      // Counts from 1, and the heading is row 1.
      aria-rowindex={props.index + 2}
      onClick={() => onOpen(rowKey)}
    >
      <td>
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
            onKeyDown={focusNeighbour}
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
      <td>
        <HealthLabel status={row.health} />
      </td>
      <td>
        <SyncLabel status={row.sync} />
      </td>
      <td className={classes.optional}>{row.phase}</td>
      <td>
        {row.revision && <Revision revision={row.revision} source={source} />}
      </td>
      <td className={classes.dim}>{at && <Age at={at} as="for" />}</td>
      <td className={classes.error} title={row.error}>
        {row.error && <FirstError row={row} />}
      </td>
    </tr>
  );
}

/** Memoised: an update re-renders only the rows that changed, of thousands. */
export const ClusterRow = memo(Row);
