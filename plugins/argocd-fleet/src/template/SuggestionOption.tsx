import { makeStyles } from '@material-ui/core/styles';
import { fleetPalette } from '../status/palette';

/** A value that a field offers. */
export interface Suggestion {
  readonly name: string;
  /** What is known of it, for example a number of clusters. */
  readonly details: string;
}

const useStyles = makeStyles(
  theme => ({
    option: {
      display: 'flex',
      gap: 16,
      justifyContent: 'space-between',
      width: '100%',
    },
    name: { overflowWrap: 'anywhere' },
    details: { color: fleetPalette(theme).dim, whiteSpace: 'nowrap' },
  }),
  { name: 'ArgocdFleetSuggestion' },
);

/** A suggestion in the list of a field. */
export function SuggestionOption(props: { readonly of: Suggestion }) {
  const classes = useStyles();
  return (
    <span className={classes.option}>
      <span className={classes.name}>{props.of.name}</span>
      <span className={classes.details}>{props.of.details}</span>
    </span>
  );
}
