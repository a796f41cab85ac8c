import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import Skeleton from '@material-ui/lab/Skeleton';
import { argocdFleetTranslationRef } from '../messages';

const useStyles = makeStyles(
  {
    filters: { margin: '14px 0' },
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
      <Skeleton width={280} height={28} />
      <Skeleton
        className={`${classes.block} ${classes.filters}`}
        variant="rect"
        height={64}
      />
      <Skeleton className={classes.block} variant="rect" height={260} />
    </div>
  );
}
