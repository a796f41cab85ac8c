import Button, { type ButtonProps } from '@material-ui/core/Button';
import { makeStyles } from '@material-ui/core/styles';
import { fleetPalette } from './palette';

const useStyles = makeStyles(
  theme => ({
    button: {
      textTransform: 'none',
      fontFamily: 'inherit',
      fontWeight: 500,
      flex: 'none',
      // Without this, the button is wider than a short text and not aligned with the text above it.
      minWidth: 0,
      '&:focus-visible': { outline: `2px solid ${fleetPalette(theme).busy}` },
    },
  }),
  { name: 'ArgocdFleetTextButton' },
);

/** A small button between lines of text. */
export function TextButton(
  props: Pick<ButtonProps, 'onClick' | 'children' | 'aria-expanded'>,
) {
  const classes = useStyles();
  return (
    <Button
      size="small"
      color="primary"
      className={classes.button}
      {...props}
    />
  );
}
