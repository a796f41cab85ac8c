import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import ExpandMoreIcon from '@material-ui/icons/ExpandMore';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { stateSegments } from '../status/segments';
import { StatusCounts } from '../status/StatusCounts';
import { useTableStyles } from '../table/tableStyles';
import type { RowGroup } from './rowLabels';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      line: {
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 14,
      },
      button: { display: 'inline-flex', alignItems: 'center', gap: 4 },
      name: { fontWeight: 600, minWidth: 0, overflowWrap: 'anywhere' },
      icon: { fontSize: 20, transition: 'none' },
      folded: { transform: 'rotate(-90deg)' },
      heading: { background: palette.chip },
      cell: { '&&': { whiteSpace: 'normal' } },
    };
  },
  { name: 'ArgocdFleetGroupRow' },
);

/** Heading of the rows whose clusters have one value of a label; a click folds or opens the group. */
export function GroupRow(props: {
  readonly id: string;
  readonly group: RowGroup;
  /** Index among all lines of the table, from 0. */
  readonly index: number;
  readonly columns: number;
  readonly measureRef: ((element: HTMLElement | null) => void) | undefined;
  /** The Tab key reaches this line of the table. */
  readonly active: boolean;
  readonly onToggle: (id: string) => void;
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { id, group, index } = props;
  const { key, value, folded } = group;
  return (
    <tr
      className={`${tableClasses.row} ${classes.heading}`}
      ref={props.measureRef}
      data-index={index}
      // Counts from 1, and the heading is row 1.
      aria-rowindex={index + 2}
      onClick={event => {
        event.currentTarget.querySelector('button')?.focus();
        props.onToggle(id);
      }}
    >
      <td role="gridcell" colSpan={props.columns} className={classes.cell}>
        <div className={classes.line}>
          <button
            type="button"
            className={`${tableClasses.open} ${classes.button}`}
            aria-expanded={!folded}
            tabIndex={props.active ? 0 : -1}
          >
            <ExpandMoreIcon
              className={`${classes.icon} ${folded ? classes.folded : ''}`}
              aria-hidden="true"
            />
            <span className={classes.name}>
              {value === undefined
                ? t('table.withoutLabel', { key })
                : `${key}=${value}`}
            </span>
          </button>
          <span className={tableClasses.dim}>
            {t('table.all', { count: group.size })}
          </span>
          <StatusCounts segments={stateSegments(group).toReversed()} />
        </div>
      </td>
    </tr>
  );
}
