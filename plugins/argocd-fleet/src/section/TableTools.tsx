import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { ReactNode } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { TextButton } from '../status/TextButton';
import { MovedRows } from '../table/MovedRows';
import { PanelButton } from '../table/PanelButton';
import { SearchField } from '../table/SearchField';
import { useTableStyles } from '../table/tableStyles';
import { versionText } from '../version/versionText';
import type { RowFilter } from './rows';

/** The filter in words, for users who opened a link with it. */
function useFilterWords(
  filter: RowFilter,
  causeTitle: string | undefined,
  versionTexts: readonly string[] | undefined,
): string {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return [
    filter.state && t(`state.${filter.state}`),
    filter.health &&
      t('table.filterHealth', { status: t(`tiles.${filter.health}`) }),
    filter.sync && t('table.filterSync', { status: t(`sync.${filter.sync}`) }),
    filter.stale && t('table.filterStale'),
    filter.cause &&
      t('table.filterCause', { title: causeTitle ?? t('table.noCause') }),
    filter.running &&
      t('table.filterRunning', {
        version: versionText(versionTexts, filter.running).name,
      }),
    filter.notKnown && t('table.filterNotKnown'),
    filter.behind && t('table.filterBehind'),
    filter.text && t('table.filterText', { text: filter.text }),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Search field, number of rows shown, and buttons that clear the filters and sort again. */
export function TableTools(props: {
  readonly filter: RowFilter;
  readonly causeTitle: string | undefined;
  /** How the version is called by which is filtered. */
  readonly versionTexts: readonly string[] | undefined;
  readonly shown: number;
  readonly total: number;
  /** The initial order; any other is shown at its column. */
  readonly worstFirst: boolean;
  /** Number of rows that are not where the order has them. */
  readonly moved: number;
  readonly onText: (text: string) => void;
  readonly onClear: () => void;
  readonly onSortAgain: () => void;
  /** Of groups; undefined where there are none to fold. */
  readonly onFoldAll: (() => void) | undefined;
  readonly allFolded: boolean;
  /** More tools, beside the search field. */
  readonly children: ReactNode;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { filter, causeTitle, shown, total, onText, onClear } = props;
  const order = props.worstFirst ? ` · ${t('table.worstFirst')}` : '';
  const words = useFilterWords(filter, causeTitle, props.versionTexts);
  return (
    <div className={classes.tools}>
      <SearchField
        label={t('table.search')}
        title={t('table.searchTitle')}
        value={filter.text ?? ''}
        onChange={onText}
      />
      {props.children}
      <span className={classes.dim} role="status">
        {words
          ? `${t('table.some', {
              number: String(shown),
              total: t('table.all', { count: total }),
            })} · ${t('table.filteredBy', { filters: words })}`
          : t('table.all', { count: total })}
        {order}
      </span>
      <MovedRows moved={props.moved} onSortAgain={props.onSortAgain} />
      {props.onFoldAll && (
        <TextButton onClick={props.onFoldAll}>
          {t(props.allFolded ? 'table.openAll' : 'table.foldAll')}
        </TextButton>
      )}
      {words && shown > 0 && (
        <PanelButton onClick={onClear}>{t('table.clear')}</PanelButton>
      )}
    </div>
  );
}
