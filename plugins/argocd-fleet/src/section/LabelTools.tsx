import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import Button from '@material-ui/core/Button';
import Checkbox from '@material-ui/core/Checkbox';
import Menu from '@material-ui/core/Menu';
import MenuItem from '@material-ui/core/MenuItem';
import { makeStyles } from '@material-ui/core/styles';
import { useState } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { ChoiceSelect } from '../table/ChoiceSelect';
import type { ClusterLabel } from './rowLabels';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      button: {
        font: 'inherit',
        textTransform: 'none',
        padding: '6px 10px',
        lineHeight: 1.35,
        borderColor: palette.dim,
        '&:focus-visible': { outline: `2px solid ${palette.busy}` },
      },
      menu: { maxHeight: 420 },
      item: { minHeight: 0, paddingTop: 2, paddingBottom: 2 },
      check: { padding: 4, marginRight: 6 },
    };
  },
  { name: 'ArgocdFleetLabelTools' },
);

/** Chooses the labels that are columns of the table, and the one by which its rows are grouped. */
export function LabelTools(props: {
  readonly labels: readonly ClusterLabel[];
  readonly columns: readonly string[];
  readonly groupBy: string | undefined;
  readonly onColumns: (keys: readonly string[]) => void;
  /** Called with the empty string for no groups. */
  readonly onGroupBy: (key: string) => void;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { labels, columns, groupBy, onColumns } = props;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const valuesOf = new Map(labels.map(({ key, values }) => [key, values]));
  // What a link names is shown, so that it can be taken away, also where no cluster has it any more.
  const offered = [
    ...new Set([...valuesOf.keys(), ...columns, ...(groupBy ? [groupBy] : [])]),
  ];
  if (offered.length === 0) {
    return null;
  }
  return (
    <>
      <ChoiceSelect
        label={t('table.groupBy')}
        none={t('table.noGroups')}
        values={offered}
        labelOf={key =>
          t('table.groupByLabel', {
            key,
            count: valuesOf.get(key) ?? 0,
          })
        }
        value={groupBy}
        onChange={props.onGroupBy}
      />
      <Button
        variant="outlined"
        size="small"
        className={classes.button}
        aria-haspopup="menu"
        aria-expanded={Boolean(anchor)}
        onClick={event => setAnchor(event.currentTarget)}
      >
        {columns.length > 0
          ? t('table.labelColumnsShown', { number: String(columns.length) })
          : t('table.labelColumns')}
      </Button>
      <Menu
        anchorEl={anchor}
        getContentAnchorEl={null}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        open={Boolean(anchor)}
        onClose={() => setAnchor(null)}
        classes={{ paper: classes.menu }}
        MenuListProps={{ dense: true, 'aria-label': t('table.labelColumns') }}
      >
        {offered.map(key => {
          const shown = columns.includes(key);
          return (
            <MenuItem
              key={key}
              role="menuitemcheckbox"
              aria-checked={shown}
              className={classes.item}
              onClick={() =>
                onColumns(
                  shown
                    ? columns.filter(other => other !== key)
                    : [...columns, key],
                )
              }
            >
              <Checkbox
                className={classes.check}
                checked={shown}
                size="small"
                color="primary"
                tabIndex={-1}
                disableRipple
                inputProps={{ 'aria-hidden': true }}
              />
              {key}
            </MenuItem>
          );
        })}
      </Menu>
    </>
  );
}
