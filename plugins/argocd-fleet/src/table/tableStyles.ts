import { makeStyles } from '@material-ui/core/styles';
import { fleetPalette } from '../status/palette';
import { VISUALLY_HIDDEN } from '../status/visuallyHidden';
import { ROW_HEIGHT } from './useVirtualRows';

/** Compact tables with a line below each row, and the panel and tools around them. */
export const useTableStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      panel: {
        background: theme.palette.background.paper,
        color: theme.palette.text.primary,
        border: `1px solid ${palette.line}`,
        borderRadius: 6,
        marginTop: 12,
        overflow: 'hidden',
        // Focused after a click on a button that is gone then, so that the Tab key goes on from here.
        '&:focus': { outline: 'none' },
      },
      tools: {
        display: 'flex',
        flexWrap: 'wrap',
        gap: 10,
        alignItems: 'center',
        padding: '10px 14px',
        borderBottom: `1px solid ${palette.line}`,
      },
      scroll: { overflowX: 'auto' },
      scrollBox: {
        overflow: 'auto',
        maxHeight: 'max(320px, calc(100vh - 300px))',
      },
      table: {
        borderCollapse: 'separate',
        borderSpacing: 0,
        width: '100%',
        tableLayout: 'fixed',
        fontSize: 14,
        '& th': {
          position: 'sticky',
          top: 0,
          zIndex: 1,
          background: theme.palette.background.paper,
          textAlign: 'left',
          fontWeight: 600,
          fontSize: 12.5,
          padding: '6px 8px',
          borderBottom: `1px solid ${palette.line}`,
          whiteSpace: 'nowrap',
          // Without this, a heading that is too long for its column makes the whole table scroll.
          overflow: 'hidden',
          textOverflow: 'ellipsis',
        },
        '& td': {
          height: ROW_HEIGHT,
          padding: '0 8px',
          borderBottom: `1px solid ${palette.line}`,
          whiteSpace: 'nowrap',
          overflow: 'hidden',
          textOverflow: 'ellipsis',
        },
        '& th:first-child, & td:first-child': { paddingLeft: 14 },
      },
      row: {
        cursor: 'pointer',
        '&:hover td, &:focus-within td': { background: palette.chip },
      },
      selected: { '& td': { background: palette.chip } },
      /** Fills the height of rows that are not rendered. */
      spacer: { '&&, && td': { padding: 0, border: 0, height: 'auto' } },
      /** For screen readers only. */
      visuallyHidden: { '&&': VISUALLY_HIDDEN },
      /** Columns that a narrow table hides. */
      optional: {},
      /** What a heading says where there is one. */
      inCards: { display: 'none' },
      compact: { '& $optional': { display: 'none' } },
      /** Each row as a card: its cells one after the other, and the error below them. */
      cards: {
        display: 'block',
        '& thead, & tbody': { display: 'block' },
        '& tr': {
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          columnGap: 14,
          rowGap: 3,
          padding: '8px 14px',
          borderBottom: `1px solid ${palette.line}`,
        },
        '& thead tr': { padding: '4px 14px', rowGap: 0 },
        '& th, & td': {
          display: 'block',
          position: 'static',
          height: 'auto',
          maxWidth: '100%',
          padding: 0,
          border: 0,
        },
        '& tr:not($spacer) td:empty': { display: 'none' },
        '& $inCards': { display: 'inline' },
        '& td:first-child': { flexBasis: '100%' },
        '& th:first-child, & td:first-child': { paddingLeft: 0 },
        '& $optional': { display: 'none' },
        '& td$error': { flexBasis: '100%' },
        '& td$error $shrink': {
          whiteSpace: 'normal',
          overflowWrap: 'anywhere',
          display: '-webkit-box',
          WebkitLineClamp: 2,
          WebkitBoxOrient: 'vertical',
        },
        '& $row:hover, & $row:focus-within, & $selected': {
          background: palette.chip,
        },
      },
      open: {
        font: 'inherit',
        color: 'inherit',
        background: 'none',
        border: 0,
        padding: '2px 0',
        cursor: 'pointer',
        minWidth: 0,
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        // Below the headings, which stay at the top while the rows scroll.
        scrollMargin: '44px 0 8px',
        '&:focus-visible': {
          outline: `2px solid ${palette.busy}`,
          outlineOffset: 2,
        },
      },
      sort: {
        color: 'inherit !important',
        fontWeight: 600,
        borderRadius: 2,
        // By default, only a slightly different colour marks the focus.
        '&&:focus-visible': {
          outline: `2px solid ${palette.busy}`,
          outlineOffset: 2,
        },
        '& svg': { color: 'inherit !important' },
      },
      /** Between the revision that runs and the wanted one. */
      arrow: { color: palette.dim, margin: '0 4px' },
      mark: {
        display: 'inline-flex',
        alignItems: 'center',
        gap: 4,
        '& svg': { width: 11, height: 11 },
        flex: 'none',
        padding: '1px 7px',
        borderRadius: 10,
        fontSize: 11.5,
        whiteSpace: 'nowrap',
        color: palette.unknown,
        border: `1px dashed ${palette.unknown}`,
      },
      code: {
        font: '12.5px/1.45 "Roboto Mono", Menlo, Consolas, monospace',
      },
      dim: { color: palette.dim },
      /** A name that is shortened to make room for the mark next to it. */
      named: { display: 'flex', alignItems: 'center', gap: 8, minWidth: 0 },
      shrink: { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' },
      /** A number and a mark, which moves below it where there is no room. */
      marked: {
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: '2px 8px',
      },
      problem: {
        display: 'flex',
        alignItems: 'flex-start',
        gap: 6,
        '& svg': { marginTop: 2 },
        // Otherwise its longest line is cut at the end of the column.
        '& > div': { minWidth: 0, whiteSpace: 'normal' },
      },
      /** A cell that may need a second line, for which the row has room. */
      twoLines: {
        '&&': {
          whiteSpace: 'normal',
          overflowWrap: 'anywhere',
          lineHeight: 1.25,
        },
      },
      wrapped: { whiteSpace: 'normal', overflowWrap: 'anywhere' },
      /** One of several entities on a line. */
      entity: { marginRight: 8 },
      /** A second line of a cell, which may become several. */
      below: {
        whiteSpace: 'normal',
        overflowWrap: 'anywhere',
        lineHeight: 1.25,
        marginBottom: 4,
      },
      /** The cell with the error. */
      error: {},
      lines: {
        minWidth: 0,
        whiteSpace: 'normal',
        overflowWrap: 'anywhere',
        display: '-webkit-box',
        WebkitLineClamp: 3,
        WebkitBoxOrient: 'vertical',
        overflow: 'hidden',
      },
      empty: { padding: '20px 16px', color: palette.dim },
    };
  },
  { name: 'ArgocdFleetTable' },
);
