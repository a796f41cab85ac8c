import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from './palette';
import { RatioBar } from './RatioBar';
import type { Segment } from './segments';
import { StatusShape, useToneClasses } from './StatusShape';
import { useBarLabel } from './useBarLabel';

const useStyles = makeStyles(
  theme => ({
    counts: {
      display: 'flex',
      flexWrap: 'wrap',
      columnGap: 12,
      marginTop: 3,
      fontSize: 12.5,
      color: fleetPalette(theme).dim,
    },
    count: {
      display: 'inline-flex',
      alignItems: 'center',
      gap: 4,
      whiteSpace: 'nowrap',
      '& svg': { width: 12, height: 12 },
    },
  }),
  { name: 'ArgocdFleetLabelledBar' },
);

/** A ratio bar with the count of each status below it. */
export function LabelledBar(props: {
  readonly of: 'health' | 'sync';
  readonly segments: readonly Segment<string>[];
}) {
  const classes = useStyles();
  const tones = useToneClasses();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { of, segments } = props;
  const label = useBarLabel(of, segments);
  return (
    <div>
      <RatioBar segments={segments} label={label} />
      <div className={classes.counts}>
        {segments.length === 0 && t('bar.nothing')}
        {segments.map(({ status, of: presentation, count }) => (
          <span
            key={status}
            className={`${classes.count} ${tones[presentation.tone]}`}
          >
            <StatusShape of={presentation} />
            {t('bar.part', { number: String(count), status })}
          </span>
        ))}
      </div>
    </div>
  );
}
