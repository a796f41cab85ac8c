import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { NOTICE_KINDS } from '../notice/Notice';
import { STATE_PRESENTATION, type Presentation } from '../status/presentation';
import { ShapedText } from '../status/StatusLabel';
import type { ResolvedLink } from './linkStates';
import { setStateOf } from './troubleFirst';

const PRESENTATION = {
  ...STATE_PRESENTATION,
  none: { shape: 'ring', tone: 'unknown' },
} as const satisfies Record<ReturnType<typeof setStateOf>, Presentation>;

/** How the clusters of an ApplicationSet are, in words: "3 of 40 clusters in trouble · 2 in progress". */
export function SetHeadline(props: { readonly set: ApplicationSet }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { set } = props;
  const { clusters, state, stale } = set.summary;
  const words = (which: 'inTrouble' | 'inProgress' | 'ok') =>
    t(`headline.${which}`, {
      count: clusters,
      number: state[which].toString(),
      total: clusters.toString(),
    });
  const worst = setStateOf(set);
  const parts = [
    state.inTrouble > 0 && words('inTrouble'),
    state.inProgress > 0 &&
      (state.inTrouble > 0
        ? t('mark.inProgress', { number: state.inProgress.toString() })
        : words('inProgress')),
    state.ok === clusters && words('ok'),
    stale > 0 && t('card.stale', { count: stale }),
  ];
  return clusters > 0 ? (
    <ShapedText of={PRESENTATION[worst]}>
      {parts.filter(Boolean).join(' · ')}
    </ShapedText>
  ) : null;
}

/** How the ApplicationSet of a link is, in few words: for its tab, or the link to its section. */
export function LinkMark(props: { readonly resolved: ResolvedLink }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { resolved } = props;
  if (resolved.state !== 'found') {
    return (
      <ShapedText of={NOTICE_KINDS.warning}>
        {t(`mark.${resolved.state}`)}
      </ShapedText>
    );
  }
  const worst = setStateOf(resolved.set);
  const { inTrouble, inProgress } = resolved.set.summary.state;
  const words = {
    inTrouble:
      inTrouble > 0
        ? t('mark.inTrouble', { number: inTrouble.toString() })
        : t('mark.setInTrouble'),
    inProgress: t('mark.inProgress', { number: inProgress.toString() }),
    ok: t('mark.ok'),
    none: t('bar.nothing'),
  };
  return <ShapedText of={PRESENTATION[worst]}>{words[worst]}</ShapedText>;
}
