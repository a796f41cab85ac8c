import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import Skeleton from '@material-ui/lab/Skeleton';
import { argocdFleetTranslationRef } from '../messages';
import { TILE_COUNT, useTileStyles } from './SummaryTiles';

const useStyles = makeStyles(
  {
    tiles: { margin: '14px 0' },
    tile: { flex: '1 0 96px' },
    block: { borderRadius: 6 },
  },
  { name: 'ArgocdFleetSectionSkeleton' },
);

/** Placeholder for a section while the first response loads. */
export function SectionSkeleton() {
  const classes = useStyles();
  const tileClasses = useTileStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <div role="status" aria-busy="true" aria-label={t('notices.loading')}>
      <Skeleton width={420} height={28} />
      <div className={`${tileClasses.tiles} ${classes.tiles}`}>
        {Array.from({ length: TILE_COUNT }, (_, tile) => (
          <Skeleton
            key={tile}
            className={`${classes.block} ${classes.tile}`}
            variant="rect"
            height={64}
          />
        ))}
      </div>
      <Skeleton className={classes.block} variant="rect" height={260} />
    </div>
  );
}
