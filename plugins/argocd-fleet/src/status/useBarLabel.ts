import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import type { Segment } from './segments';

/** A ratio bar in words: "Health: 389 healthy, 9 progressing (2 stale)". */
export function useBarLabel(
  of: 'health' | 'sync',
  segments: readonly Segment<string>[],
): string {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const parts = segments.map(({ status, count, stale }) =>
    stale > 0
      ? t('bar.partStale', {
          number: String(count),
          status,
          stale: String(stale),
        })
      : t('bar.part', { number: String(count), status }),
  );
  return `${t(`bar.${of}`)}: ${parts.join(', ') || t('bar.nothing')}`;
}
