import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import { RatioBar } from './RatioBar';
import type { BarSubject, Segment } from './segments';
import { StatusCounts } from './StatusCounts';
import { useBarLabel } from './useBarLabel';

/** A ratio bar with the count of each status below it. */
export function LabelledBar(props: {
  readonly of: BarSubject;
  readonly segments: readonly Segment[];
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { of, segments } = props;
  return (
    <div>
      <RatioBar segments={segments} label={useBarLabel(of, segments)} />
      {segments.length === 0 ? (
        t('bar.nothing')
      ) : (
        <StatusCounts segments={segments} />
      )}
    </div>
  );
}
