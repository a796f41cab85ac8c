import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import { useState } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { TextButton } from '../status/TextButton';
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
      /** Several lines, whose breaks and indentation matter: long ones scroll. */
      code: {
        ...box,
        whiteSpace: 'pre',
        overflowX: 'auto',
        // No height limit: a box that scrolls would stop the page from scrolling.
        overflowY: 'hidden',
        '&:focus-visible': {
          outline: `2px solid ${fleetPalette(theme).busy}`,
        },
      },
      /** A message, or a command of one line: long lines break. */
      message: {
        ...box,
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      },
    };
  },
  { name: 'ArgocdFleetCode' },
);

/** Number of lines up to which a text is shown at once; what follows it stays near what introduces it. */
const SHOWN = 16;

/** A command or YAML with a button that copies it. Of a long one, the first lines, and a button that shows the others. */
export function CopyableCode(props: { readonly text: string }) {
  const classes = useCodeStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const [all, setAll] = useState(false);
  const lines = props.text.split('\n');
  // A button for a few lines would cost more than they do.
  const folded = !all && lines.length > SHOWN + 4;
  return (
    <div>
      {lines.length === 1 ? (
        <pre className={classes.message}>{props.text}</pre>
      ) : (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- axe: scrollable-region-focusable
        <pre className={classes.code} tabIndex={0}>
          {folded ? lines.slice(0, SHOWN).join('\n') : props.text}
        </pre>
      )}
      <CopyButton text={props.text} />
      {folded && (
        <TextButton onClick={() => setAll(true)}>
          {t('copy.more', { number: String(lines.length - SHOWN) })}
        </TextButton>
      )}
    </div>
  );
}
