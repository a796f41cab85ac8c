import ButtonBase from '@material-ui/core/ButtonBase';
import { makeStyles } from '@material-ui/core/styles';
import type { ReactNode } from 'react';
import { fleetPalette } from './palette';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      chip: {
        gap: 6,
        padding: '4px 10px',
        borderRadius: 14,
        border: `1px solid ${palette.line}`,
        background: theme.palette.background.paper,
        color: theme.palette.text.primary,
        font: 'inherit',
        fontSize: 13,
        textAlign: 'left',
        '& svg': { width: 14, height: 14 },
        '&:hover': { borderColor: palette.dim },
        '&[aria-pressed="true"]': {
          outline: `2px solid ${theme.palette.primary.main}`,
        },
        '&&:focus-visible': {
          outline: `3px solid ${palette.busy}`,
          outlineOffset: 1,
        },
      },
    };
  },
  { name: 'ArgocdFleetFilterChip' },
);

/** A button that filters, or filters no longer. */
export function FilterChip(props: {
  readonly pressed: boolean;
  readonly title?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  const classes = useStyles();
  const { pressed, title, onClick, children } = props;
  return (
    <ButtonBase
      className={classes.chip}
      aria-pressed={pressed}
      title={title}
      onClick={onClick}
      disableRipple
    >
      {children}
    </ButtonBase>
  );
}
