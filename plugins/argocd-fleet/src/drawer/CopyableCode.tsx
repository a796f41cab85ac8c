import { makeStyles } from '@material-ui/core/styles';
import { fleetPalette } from '../status/palette';
import { CopyButton } from './CopyButton';

export const useCodeStyles = makeStyles(
  theme => ({
    code: {
      background: fleetPalette(theme).chip,
      color: theme.palette.text.primary,
      borderRadius: 4,
      padding: '8px 10px',
      margin: '6px 0 2px',
      whiteSpace: 'pre-wrap',
      overflowWrap: 'anywhere',
      font: '12px/1.5 "Roboto Mono", Menlo, Consolas, monospace',
    },
  }),
  { name: 'ArgocdFleetCode' },
);

/** A command or YAML to take along. */
export function CopyableCode(props: { readonly text: string }) {
  const classes = useCodeStyles();
  return (
    <>
      <pre className={classes.code}>{props.text}</pre>
      <CopyButton text={props.text} />
    </>
  );
}
