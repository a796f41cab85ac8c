import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import Skeleton from '@material-ui/lab/Skeleton';
import { argocdFleetTranslationRef } from '../../messages';

/** Placeholder for the entries while the first page loads. */
export function TimelineSkeleton() {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <div role="status" aria-busy="true" aria-label={t('timeline.loading')}>
      <Skeleton height={26} />
      <Skeleton height={26} width="80%" />
      <Skeleton height={26} width="90%" />
    </div>
  );
}
