import Button, { type ButtonProps } from '@material-ui/core/Button';
import { makeStyles } from '@material-ui/core/styles';

const useStyles = makeStyles(
  {
    button: {
      textTransform: 'none',
      fontFamily: 'inherit',
      fontWeight: 500,
      flex: 'none',
      // Begins where the text above it does, however short its own.
      minWidth: 0,
    },
  },
  { name: 'ArgocdFleetTextButton' },
);

/** A small action in the running text. */
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
