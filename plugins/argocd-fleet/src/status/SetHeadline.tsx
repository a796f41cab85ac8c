import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  ApplicationSet,
  OverallState,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { STATE_PRESENTATION, type Presentation } from './presentation';
import { ShapedText } from './StatusLabel';

/** Shape and colour of the worst state of an ApplicationSet's clusters. */
export const SET_PRESENTATION = {
  ...STATE_PRESENTATION,
  none: { shape: 'ring', tone: 'unknown' },
} as const satisfies Record<OverallState | 'none', Presentation>;

/** States that are worth a word, the worst first. */
const NOT_DONE = ['inTrouble', 'blocked', 'paused', 'running'] as const;

/** The worst state of an ApplicationSet's clusters; an error of the set itself is trouble too. `none` has no clusters. */
export function setStateOf({
  summary: { clusters, withoutCluster = 0, state },
  findings,
}: Pick<ApplicationSet, 'summary' | 'findings'>): OverallState | 'none' {
  if (findings.some(({ severity }) => severity === 'error')) {
    return 'inTrouble';
  }
  return (
    NOT_DONE.find(each => state[each] > 0) ??
    (clusters + withoutCluster > 0 ? 'ok' : 'none')
  );
}

/** How the clusters of an ApplicationSet are, in words: "3 of 40 clusters in trouble · 2 in progress". */
export function SetHeadline(props: {
  readonly set: Pick<ApplicationSet, 'summary' | 'findings'>;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { set } = props;
  const { clusters, withoutCluster = 0, state, stale } = set.summary;
  if (clusters + withoutCluster === 0) {
    return null;
  }
  const parts: string[] = NOT_DONE.filter(each => state[each] > 0).map(
    (each, index) =>
      index === 0 && withoutCluster === 0
        ? t(`headline.${each}`, {
            count: clusters,
            number: state[each].toString(),
            total: clusters.toString(),
          })
        : t('bar.part', {
            number: state[each].toString(),
            status: t(`state.${each}`),
          }),
  );
  if (withoutCluster > 0) {
    parts.push(t('headline.withoutCluster', { count: withoutCluster }));
  }
  if (parts.length === 0) {
    parts.push(
      t('headline.ok', { count: clusters, total: clusters.toString() }),
    );
  }
  if (stale > 0) {
    parts.push(t('card.stale', { count: stale }));
  }
  return (
    <ShapedText of={SET_PRESENTATION[setStateOf(set)]}>
      {parts.join(' · ')}
    </ShapedText>
  );
}
