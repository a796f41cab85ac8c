import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { TextButton } from '../status/TextButton';
import type { RowFilter } from './rows';
import { SearchField } from './SearchField';

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
      count: { color: palette.dim },
    };
  },
  { name: 'ArgocdFleetTableTools' },
);

/** The filter in words, for people who did not set it themselves. */
function useFilterWords(
  filter: RowFilter,
  causeTitle: string | undefined,
): string {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return [
    filter.health &&
      t('table.filterHealth', { status: t(`tiles.${filter.health}`) }),
    filter.sync && t('table.filterSync', { status: t(`sync.${filter.sync}`) }),
    filter.stale && t('table.filterStale'),
    filter.cause &&
      t('table.filterCause', { title: causeTitle ?? filter.cause }),
    filter.text && t('table.filterText', { text: filter.text }),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Search box, what is shown of how much, and the way back to everything. */
export function TableTools(props: {
  readonly filter: RowFilter;
  readonly causeTitle: string | undefined;
  readonly shown: number;
  readonly total: number;
  /** The order that nobody chose; any other shows at its column. */
  readonly worstFirst: boolean;
  readonly onText: (text: string) => void;
  readonly onClear: () => void;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { filter, causeTitle, shown, total, onText, onClear } = props;
  const order = props.worstFirst ? ` · ${t('table.worstFirst')}` : '';
  const words = useFilterWords(filter, causeTitle);
  return (
    <div className={classes.tools}>
      <SearchField
        label={t('table.search')}
        value={filter.text ?? ''}
        onChange={onText}
      />
      <span className={classes.count} role="status">
        {words
          ? `${t('table.some', {
              number: String(shown),
              total: t('table.all', { count: total }),
            })} · ${t('table.filteredBy', { filters: words })}`
          : t('table.all', { count: total })}
        {order}
      </span>
      {words && <TextButton onClick={onClear}>{t('table.clear')}</TextButton>}
    </div>
  );
}
