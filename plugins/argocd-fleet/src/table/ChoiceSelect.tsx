import { makeStyles } from '@material-ui/core/styles';
import { fleetPalette } from '../status/palette';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      select: {
        font: 'inherit',
        color: theme.palette.text.primary,
        background: theme.palette.background.paper,
        border: `1px solid ${palette.dim}`,
        borderRadius: 4,
        padding: '6px 8px',
        maxWidth: 220,
        [theme.breakpoints.down('xs')]: { maxWidth: 170 },
        '&:focus-visible': { outline: `2px solid ${palette.busy}` },
      },
    };
  },
  { name: 'ArgocdFleetChoiceSelect' },
);

/** A native select of one value, or of none. */
export function ChoiceSelect<Value extends string>(props: {
  readonly label: string;
  /** Label of the option that chooses none. */
  readonly none: string;
  readonly values: readonly Value[];
  readonly labelOf: (value: Value) => string;
  readonly value: Value | undefined;
  /** Called with the empty string for none. */
  readonly onChange: (value: string) => void;
}) {
  const classes = useStyles();
  return (
    <select
      className={classes.select}
      aria-label={props.label}
      value={props.value ?? ''}
      onChange={event => props.onChange(event.target.value)}
    >
      <option value="">{props.none}</option>
      {props.values.map(value => (
        <option key={value} value={value}>
          {props.labelOf(value)}
        </option>
      ))}
    </select>
  );
}
