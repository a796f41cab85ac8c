import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import type { BarSubject, Segment } from './segments';

/** A ratio bar in words: "Health: 389 healthy, 9 progressing (2 stale)". */
export function useBarLabel(
  of: BarSubject,
  segments: readonly Segment[],
): string {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const parts = segments.map(({ word, count, stale }) =>
    stale > 0
      ? t('bar.partStale', {
          number: String(count),
          status: t(word),
          stale: String(stale),
        })
      : t('bar.part', { number: String(count), status: t(word) }),
  );
  return `${t(`bar.${of}`)}: ${parts.join(', ') || t('bar.nothing')}`;
}
