import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import { PanelButton } from './PanelButton';
import { useTableStyles } from './tableStyles';

/** In place of a table's rows, when filters exclude all of them. */
export function NothingMatches(props: {
  readonly text: string;
  readonly onClear: () => void;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <div className={classes.empty}>
      {props.text}{' '}
      <PanelButton onClick={props.onClear}>{t('table.clear')}</PanelButton>
    </div>
  );
}
