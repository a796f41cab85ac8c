import { makeStyles } from '@material-ui/core/styles';
import type { ReactNode } from 'react';
import { CopyableCode } from '../code/CopyableCode';
import { fleetPalette } from '../status/palette';
import type { Presentation } from '../status/presentation';
import { StatusShape } from '../status/StatusShape';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      notice: {
        display: 'flex',
        gap: 12,
        background: theme.palette.background.paper,
        color: theme.palette.text.primary,
        border: `1px solid ${palette.line}`,
        borderRadius: 6,
        padding: '14px 16px',
        margin: '12px 0',
        maxWidth: 860,
        '& > svg': { width: 20, height: 20, marginTop: 1 },
        '& p': {
          margin: '4px 0 0',
          color: palette.dim,
          overflowWrap: 'anywhere',
        },
      },
      body: { flex: 1, minWidth: 0 },
      title: { fontSize: 15, fontWeight: 500, margin: 0 },
    };
  },
  { name: 'ArgocdFleetNotice' },
);

/** Shape and colour of each kind of notice. */
export const NOTICE_KINDS = {
  hint: { shape: 'ring', tone: 'busy' },
  waiting: { shape: 'arc', tone: 'busy' },
  warning: { shape: 'triangle', tone: 'warn' },
  problem: { shape: 'triangle', tone: 'bad' },
} as const satisfies Record<string, Presentation>;

/** A notice in place of missing content: what the state is, what it means, and what to do. */
export function Notice(props: {
  readonly kind: keyof typeof NOTICE_KINDS;
  readonly title: string;
  readonly children?: ReactNode;
  /** A command, YAML or message to copy. */
  readonly code?: string;
}) {
  const classes = useStyles();
  const { kind, title, children, code } = props;
  return (
    <div className={classes.notice} role="status">
      <StatusShape of={NOTICE_KINDS[kind]} />
      <div className={classes.body}>
        <div className={classes.title}>{title}</div>
        {children}
        {code && <CopyableCode text={code} />}
      </div>
    </div>
  );
}
