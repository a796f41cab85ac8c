import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import { NOTICE_KINDS } from '../notice/Notice';
import { SET_PRESENTATION, setStateOf } from '../status/SetHeadline';
import { ShapedText } from '../status/StatusLabel';
import type { ResolvedLink } from './linkStates';

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
  const words = () => {
    if (worst === 'none') {
      return t('bar.nothing');
    }
    const count = resolved.set.summary.state[worst];
    if (worst === 'ok') {
      return t('mark.ok');
    }
    return count > 0
      ? t('bar.part', { number: String(count), status: t(`state.${worst}`) })
      : t('mark.setInTrouble');
  };
  return <ShapedText of={SET_PRESENTATION[worst]}>{words()}</ShapedText>;
}
