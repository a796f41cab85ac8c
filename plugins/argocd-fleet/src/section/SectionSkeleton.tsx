import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import Skeleton from '@material-ui/lab/Skeleton';
import { argocdFleetTranslationRef } from '../messages';

const useStyles = makeStyles(
  {
    tiles: {
      display: 'grid',
      gridTemplateColumns: 'repeat(auto-fit, minmax(100px, 1fr))',
      gap: 10,
      margin: '14px 0',
    },
    block: { borderRadius: 6 },
  },
  { name: 'ArgocdFleetSectionSkeleton' },
);

/** Placeholder for a section while the first response loads. */
export function SectionSkeleton() {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <div role="status" aria-busy="true" aria-label={t('notices.loading')}>
      <Skeleton width={420} height={28} />
      <div className={classes.tiles}>
        {['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(tile => (
          <Skeleton
            key={tile}
            className={classes.block}
            variant="rect"
            height={66}
          />
        ))}
      </div>
      <Skeleton className={classes.block} variant="rect" height={260} />
    </div>
  );
}
