import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from './palette';
import type { Segment } from './segments';
import { StatusShape, useToneClasses } from './StatusShape';

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
  { name: 'ArgocdFleetStatusCounts' },
);

/** Numbers of clusters by status, each with its shape and word. */
export function StatusCounts(props: { readonly segments: readonly Segment[] }) {
  const classes = useStyles();
  const tones = useToneClasses();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <div className={classes.counts}>
      {props.segments.map(({ word, of, count }) => (
        <span key={word} className={`${classes.count} ${tones[of.tone]}`}>
          <StatusShape of={of} />
          {t('bar.part', { number: String(count), status: t(word) })}
        </span>
      ))}
    </div>
  );
}
