import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../../messages';
import { ShapedText } from '../../status/StatusLabel';
import type { Reporting } from './reporting';

/** Whether the cluster reported. */
export function ReportingLabel(props: { readonly of: Reporting }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return props.of === 'silent' ? (
    <ShapedText of={{ shape: 'triangle', tone: 'bad' }}>
      {t('timeline.isSilent')}
    </ShapedText>
  ) : (
    <ShapedText of={{ shape: 'check', tone: 'good' }}>
      {t('timeline.isReporting')}
    </ShapedText>
  );
}
