import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import { PanelButton } from './PanelButton';

/** Offers to sort again, where rows would not be where they are; nothing where they would. */
export function MovedRows(props: {
  readonly moved: number;
  readonly onSortAgain: () => void;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { moved, onSortAgain } = props;
  return moved > 0 ? (
    <span>
      {t('table.moved', { count: moved })} ·{' '}
      <PanelButton onClick={onSortAgain}>{t('table.sortAgain')}</PanelButton>
    </span>
  ) : null;
}
