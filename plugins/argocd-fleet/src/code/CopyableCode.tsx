import { makeStyles } from '@material-ui/core/styles';
import { fleetPalette } from '../status/palette';
import { CopyButton } from './CopyButton';

export const useCodeStyles = makeStyles(
  theme => {
    const box = {
      background: fleetPalette(theme).chip,
      color: theme.palette.text.primary,
      borderRadius: 4,
      padding: '8px 10px',
      margin: '6px 0 2px',
      font: '12px/1.5 "Roboto Mono", Menlo, Consolas, monospace',
    };
    return {
      /** Line breaks matter here: long lines scroll. */
      code: {
        ...box,
        whiteSpace: 'pre',
        overflow: 'auto',
        // The button below a long manifest, and other ways, stay near what introduces it.
        maxHeight: 300,
        '&:focus-visible': {
          outline: `2px solid ${fleetPalette(theme).busy}`,
        },
      },
      /** A message: long lines break. */
      message: {
        ...box,
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      },
    };
  },
  { name: 'ArgocdFleetCode' },
);

/** A command or YAML with a button that copies it. */
export function CopyableCode(props: { readonly text: string }) {
  const classes = useCodeStyles();
  return (
    <div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- axe: scrollable-region-focusable */}
      <pre className={classes.code} tabIndex={0}>
        {props.text}
      </pre>
      <CopyButton text={props.text} />
    </div>
  );
}
