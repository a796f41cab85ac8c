import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { HubState } from 'backstage-plugin-argocd-fleet-common';
import type { LiveState } from '../live/liveQuery';
import { argocdFleetTranslationRef } from '../messages';
import { SearchField } from '../section/SearchField';
import { fleetPalette } from '../status/palette';
import { LiveMark } from '../time/LiveMark';
import { MODELS, SET_STATES, type ListFilter } from './listRows';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      tools: {
        display: 'flex',
        flexWrap: 'wrap',
        gap: 10,
        alignItems: 'center',
        padding: '10px 14px',
        borderBottom: `1px solid ${palette.line}`,
      },
      select: {
        font: 'inherit',
        color: theme.palette.text.primary,
        background: theme.palette.background.paper,
        border: `1px solid ${palette.dim}`,
        borderRadius: 4,
        padding: '6px 8px',
        '&:focus-visible': { outline: `2px solid ${palette.busy}` },
      },
      dim: { color: palette.dim },
      live: { marginLeft: 'auto' },
    };
  },
  { name: 'ArgocdFleetListTools' },
);

/** Text search and the two filters of the list. */
export function ListTools(props: {
  readonly filter: ListFilter;
  readonly shown: number;
  readonly total: number;
  readonly onText: (text: string) => void;
  readonly onModel: (model: string) => void;
  readonly onState: (state: string) => void;
  /** The order that nobody chose. */
  readonly worstFirst: boolean;
  readonly live: LiveState<unknown>;
  readonly hubs: readonly HubState[];
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { filter, shown, total } = props;
  const all = t('list.count', { count: total });
  return (
    <div className={classes.tools}>
      <SearchField
        label={t('list.search')}
        value={filter.text ?? ''}
        onChange={props.onText}
      />
      <select
        className={classes.select}
        aria-label={t('list.model')}
        value={filter.model ?? ''}
        onChange={event => props.onModel(event.target.value)}
      >
        <option value="">{t('list.anyModel')}</option>
        {MODELS.map(model => (
          <option key={model} value={model}>
            {t(`section.model.${model}`)}
          </option>
        ))}
      </select>
      <select
        className={classes.select}
        aria-label={t('list.state')}
        value={filter.state ?? ''}
        onChange={event => props.onState(event.target.value)}
      >
        <option value="">{t('list.anyState')}</option>
        {SET_STATES.map(state => (
          <option key={state} value={state}>
            {t(`list.states.${state}`)}
          </option>
        ))}
      </select>
      <span className={classes.dim} role="status">
        {shown < total
          ? t('table.some', { number: String(shown), total: all })
          : all}
        {props.worstFirst && ` · ${t('table.worstFirst')}`}
      </span>
      <span className={classes.live}>
        <LiveMark live={props.live} hubs={props.hubs} />
      </span>
    </div>
  );
}
