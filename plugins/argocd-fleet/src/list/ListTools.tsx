import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { HubState } from 'backstage-plugin-argocd-fleet-common';
import { LiveMark } from '../live/LiveMark';
import type { LiveState } from '../live/liveQuery';
import { argocdFleetTranslationRef } from '../messages';
import { ChoiceSelect } from '../table/ChoiceSelect';
import { MovedRows } from '../table/MovedRows';
import { PanelButton } from '../table/PanelButton';
import { SearchField } from '../table/SearchField';
import { useTableStyles } from '../table/tableStyles';
import { MODELS, SET_STATES, type ListFilter } from './listRows';

const useStyles = makeStyles(
  { live: { marginLeft: 'auto' } },
  { name: 'ArgocdFleetListTools' },
);

function isFiltered(filter: ListFilter): boolean {
  return Object.values(filter).some(Boolean);
}

/** Search field and filters of the list, and the number of ApplicationSets shown. */
export function ListTools(props: {
  readonly filter: ListFilter;
  readonly shown: number;
  readonly total: number;
  readonly onText: (text: string) => void;
  readonly onModel: (model: string) => void;
  readonly onState: (state: string) => void;
  readonly onClear: () => void;
  /** Number of rows that are not where the order has them. */
  readonly moved: number;
  readonly onSortAgain: () => void;
  /** The initial order. */
  readonly worstFirst: boolean;
  readonly live: LiveState<unknown>;
  readonly hubs: readonly HubState[];
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { filter, shown, total } = props;
  const all = t('list.count', { count: total });
  return (
    <div className={tableClasses.tools}>
      <SearchField
        label={t('list.search')}
        title={t('list.searchTitle')}
        value={filter.text ?? ''}
        onChange={props.onText}
      />
      <ChoiceSelect
        label={t('list.model')}
        none={t('list.anyModel')}
        values={MODELS}
        labelOf={model => t(`section.model.${model}`)}
        value={filter.model}
        onChange={props.onModel}
      />
      <ChoiceSelect
        label={t('list.state')}
        none={t('list.anyState')}
        values={SET_STATES}
        labelOf={state => t(`list.states.${state}`)}
        value={filter.state}
        onChange={props.onState}
      />
      <span className={tableClasses.dim} role="status">
        {shown < total
          ? t('table.some', { number: String(shown), total: all })
          : all}
        {props.worstFirst && ` · ${t('table.worstFirst')}`}
      </span>
      <MovedRows moved={props.moved} onSortAgain={props.onSortAgain} />
      {shown > 0 && isFiltered(filter) && (
        <PanelButton onClick={props.onClear}>{t('table.clear')}</PanelButton>
      )}
      <span className={classes.live}>
        <LiveMark live={props.live} hubs={props.hubs} />
      </span>
    </div>
  );
}
