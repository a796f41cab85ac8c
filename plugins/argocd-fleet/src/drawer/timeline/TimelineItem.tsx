import { makeStyles } from '@material-ui/core/styles';
import type { ReactNode } from 'react';
import { fleetPalette } from '../../status/palette';
import { AgeAndClock } from '../../time/Age';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      item: {
        position: 'relative',
        padding: '0 0 12px 22px',
        '&::before': {
          content: '""',
          position: 'absolute',
          left: 5,
          top: 4,
          width: 8,
          height: 8,
          borderRadius: '50%',
          background: palette.dim,
        },
        '&:not(:last-child)::after': {
          content: '""',
          position: 'absolute',
          left: 8,
          top: 16,
          bottom: -1,
          width: 2,
          background: palette.line,
        },
      },
      head: { display: 'flex', gap: 12, justifyContent: 'space-between' },
      what: { flex: 1, minWidth: 0 },
      time: { color: palette.dim, fontSize: 12.5, whiteSpace: 'nowrap' },
    };
  },
  { name: 'ArgocdFleetTimelineItem' },
);

/** A line of a timeline, with its time. */
export function TimelineItem(props: {
  readonly at: string;
  readonly children: ReactNode;
  /** Below the line, over its whole width. */
  readonly below?: ReactNode;
}) {
  const classes = useStyles();
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        <div className={classes.what}>{props.children}</div>
        <span className={classes.time}>
          <AgeAndClock at={props.at} />
        </span>
      </div>
      {props.below}
    </li>
  );
}
