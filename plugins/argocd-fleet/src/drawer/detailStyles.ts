import { makeStyles } from '@material-ui/core/styles';
import { fleetPalette } from '../status/palette';
import { VISUALLY_HIDDEN } from '../status/visuallyHidden';

/** Small tables and secondary text of the drawer. */
export const useDetailStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      dim: { color: palette.dim, fontWeight: 400 },
      /** A note on the section above it. */
      note: { color: palette.dim, fontSize: 12.5, marginTop: 4 },
      error: { color: palette.bad, fontSize: 12.5 },
      /** The only column that may break words, because it has the long ones. */
      name: { minWidth: 90, overflowWrap: 'anywhere' },
      table: {
        width: '100%',
        borderCollapse: 'collapse',
        fontSize: 13,
        '& th': { textAlign: 'left', fontWeight: 500, color: palette.dim },
        '& th, & td': {
          padding: '5px 8px 5px 0',
          borderBottom: `1px solid ${palette.line}`,
          whiteSpace: 'nowrap',
        },
        '& $name': { whiteSpace: 'normal' },
        // Kind and name on one line, sync and health on the next.
        [theme.breakpoints.down('xs')]: {
          '& thead': VISUALLY_HIDDEN,
          '& tr': {
            display: 'flex',
            flexWrap: 'wrap',
            columnGap: 14,
            padding: '5px 0',
            borderBottom: `1px solid ${palette.line}`,
          },
          '& td': { padding: '0 !important', border: '0 !important' },
          '& td:empty': { display: 'none' },
          '& $name': { flex: '1 1 55%' },
        },
      },
    };
  },
  { name: 'ArgocdFleetDetail' },
);
