import { makeStyles } from '@material-ui/core/styles';
import { fleetPalette } from '../status/palette';
import { ROW_HEIGHT } from './useVirtualRows';

/** Compact tables with a line below each row, as all of the plugin's are. */
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
        minWidth: 720,
        tableLayout: 'fixed',
        fontSize: 14,
        '& th': {
          position: 'sticky',
          top: 0,
          zIndex: 1,
          background: theme.palette.background.paper,
          textAlign: 'left',
          fontWeight: 500,
          fontSize: 12.5,
          color: palette.dim,
          padding: '6px 12px',
          borderBottom: `1px solid ${palette.line}`,
          whiteSpace: 'nowrap',
        },
        '& td': {
          height: ROW_HEIGHT,
          padding: '0 12px',
          borderBottom: `1px solid ${palette.line}`,
          whiteSpace: 'nowrap',
          overflow: 'hidden',
          textOverflow: 'ellipsis',
        },
      },
      row: {
        cursor: 'pointer',
        '&:hover td, &:focus-within td': { background: palette.chip },
      },
      selected: { '& td': { background: palette.chip } },
      spacer: { '& td': { padding: 0, border: 0, height: 'auto' } },
      wide: { [theme.breakpoints.down('md')]: { display: 'none' } },
      open: {
        font: 'inherit',
        color: 'inherit',
        background: 'none',
        border: 0,
        padding: '2px 0',
        cursor: 'pointer',
        maxWidth: '100%',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        verticalAlign: 'middle',
        '&:focus-visible': {
          outline: `2px solid ${palette.busy}`,
          outlineOffset: 2,
        },
      },
      sort: { color: 'inherit !important', fontWeight: 500 },
      mark: {
        marginLeft: 8,
        padding: '1px 7px',
        borderRadius: 10,
        fontSize: 11.5,
        color: palette.unknown,
        border: `1px dashed ${palette.unknown}`,
      },
      code: {
        font: '12.5px/1.45 "Roboto Mono", Menlo, Consolas, monospace',
      },
      dim: { color: palette.dim },
      error: { color: palette.bad },
      lines: {
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
