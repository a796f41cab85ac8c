import { makeStyles } from '@material-ui/core/styles';
import { fleetPalette, toneRules } from './palette';
import type { Segment } from './segments';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      bar: {
        display: 'flex',
        gap: 2,
        height: 10,
        borderRadius: 5,
        overflow: 'hidden',
        background: palette.line,
      },
      segment: { minWidth: 4, position: 'relative' },
      stale: {
        position: 'absolute',
        right: 0,
        top: 0,
        bottom: 0,
        minWidth: 4,
        backgroundImage: `repeating-linear-gradient(135deg, transparent 0 3px, ${theme.palette.background.paper} 3px 5px)`,
      },
      ...toneRules(theme, 'background'),
    };
  },
  { name: 'ArgocdFleetRatioBar' },
);

/** Shares of clusters by status; the hatched end of a segment is stale. */
export function RatioBar(props: {
  readonly segments: readonly Segment[];
  /** The bar in words, for screen readers. */
  readonly label: string;
  /** Called with the word of a segment that is clicked; for the keyboard, each has to be a filter beside the bar too. */
  readonly onChoose?: (word: Segment['word']) => void;
}) {
  const classes = useStyles();
  const { onChoose } = props;
  return (
    <div className={classes.bar} role="img" aria-label={props.label}>
      {props.segments.map(({ word, of, count, stale }) => (
        <div
          key={word}
          // The bar is an image: whoever cannot click it has the filters beside it.
          role="presentation"
          className={`${classes.segment} ${classes[of.tone]}`}
          style={{ flexGrow: count, cursor: onChoose && 'pointer' }}
          onClick={onChoose && (() => onChoose(word))}
        >
          {stale > 0 && (
            <div
              className={classes.stale}
              data-testid={`stale-${word}`}
              style={{ width: `${(stale / count) * 100}%` }}
            />
          )}
        </div>
      ))}
    </div>
  );
}
