import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  ClusterApplication,
  ClusterState,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { DateTime } from 'luxon';
import { memo, type KeyboardEvent } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { Revision } from '../source/Revision';
import { HealthLabel, SyncLabel } from '../status/StatusLabel';
import { Age } from '../time/Age';
import { useTableStyles } from './tableStyles';

function ClusterMark(props: { readonly cluster: ClusterState }) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { stale, staleSince, available } = props.cluster;
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

/** Moves the focus to the neighbouring row's button, so that the arrow keys walk down the table. */
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

/** One Application on one cluster, in one line. */
function Row(props: {
  readonly row: ClusterApplication;
  readonly rowKey: string;
  /** Place in the whole table, from 1; the heading is 1. */
  readonly ariaRowIndex: number;
  readonly source: Source | undefined;
  /** Where the set has several Applications on a cluster, each is named. */
  readonly showApplication: boolean;
  readonly selected: boolean;
  readonly onOpen: (key: string) => void;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { row, rowKey, source, selected, onOpen } = props;
  const at = row.since ?? row.statusAt;
  return (
    <tr
      className={`${classes.row} ${selected ? classes.selected : ''}`}
      aria-rowindex={props.ariaRowIndex}
      onClick={() => onOpen(rowKey)}
    >
      <td>
        <button
          type="button"
          className={classes.open}
          aria-haspopup="dialog"
          aria-label={t('table.open', {
            cluster: props.showApplication
              ? `${row.cluster.name} ${row.application.name}`
              : row.cluster.name,
          })}
          onKeyDown={focusNeighbour}
        >
          {row.cluster.name}
        </button>
        {props.showApplication && (
          <span className={classes.dim}> {row.application.name}</span>
        )}
        <ClusterMark cluster={row.cluster} />
      </td>
      <td>
        <HealthLabel status={row.health} />
      </td>
      <td>
        <SyncLabel status={row.sync} />
      </td>
      <td className={classes.wide}>{row.phase}</td>
      <td>
        {row.revision && <Revision revision={row.revision} source={source} />}
      </td>
      <td className={classes.dim}>{at && <Age at={at} as="for" />}</td>
      <td className={classes.error} title={row.error}>
        {row.error}
      </td>
    </tr>
  );
}

/** Memoised: thousands of rows see every update, few of them change. */
export const ClusterRow = memo(Row);
