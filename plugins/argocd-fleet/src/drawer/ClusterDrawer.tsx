import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import Drawer from '@material-ui/core/Drawer';
import IconButton from '@material-ui/core/IconButton';
import { makeStyles } from '@material-ui/core/styles';
import useMediaQuery from '@material-ui/core/useMediaQuery';
import CloseIcon from '@material-ui/icons/Close';
import NextIcon from '@material-ui/icons/KeyboardArrowDown';
import PreviousIcon from '@material-ui/icons/KeyboardArrowUp';
import type {
  ApplicationRow,
  ObjectRef,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { Notice } from '../notice/Notice';
import { rowKeyOf, rowTitleOf } from '../rowIdentity';
import { fleetPalette } from '../status/palette';
import { oldSync } from '../status/oldStatus';
import { HealthLabel, StateLabel, SyncLabel } from '../status/StatusLabel';
import { Age } from '../time/Age';
import { ApplicationDetails } from './ApplicationDetails';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      paper: {
        width: 592,
        maxWidth: '100vw',
        boxSizing: 'border-box',
        padding: '18px 22px',
        fontSize: 14,
        '& h2': { margin: 0, fontSize: 20, fontWeight: 500 },
        '& h3': { margin: '18px 0 6px', fontSize: 14, fontWeight: 600 },
      },
      head: { display: 'flex', alignItems: 'flex-start' },
      title: { flex: 1, minWidth: 0, overflowWrap: 'anywhere' },
      close: {
        '&:focus-visible': { outline: `2px solid ${palette.busy}` },
        '&[aria-disabled="true"]': {
          cursor: 'default',
          // Not the button, whose focus mark would be as pale.
          '& svg': { opacity: 0.35 },
        },
      },
      sub: { color: palette.dim, overflowWrap: 'anywhere' },
      status: {
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 14,
        marginTop: 6,
        '& > :last-child': { color: palette.dim },
      },
    };
  },
  { name: 'ArgocdFleetClusterDrawer' },
);

function Availability(props: { readonly cluster: ApplicationRow['cluster'] }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { available, stale, staleSince } = props.cluster;
  if (stale && available === 'False') {
    return (
      <>
        {t('drawer.unhealthy')}
        {staleSince && (
          <>
            {' '}
            · <Age at={staleSince} />
          </>
        )}
      </>
    );
  }
  if (stale) {
    return staleSince ? (
      <>{t('drawer.stale', { age: <Age at={staleSince} /> })}</>
    ) : (
      <>{t('drawer.staleNoTime')}</>
    );
  }
  // Only a cluster without ManagedCluster is neither stale nor available.
  return (
    <>
      {t(available === 'True' ? 'drawer.available' : 'drawer.noManagedCluster')}
    </>
  );
}

/** What the table knows of an Application: it is shown at once, before the details are loaded. */
function KnownFromRow(props: { readonly row: ApplicationRow }) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { cluster, application, state, health, sync, since } = props.row;
  return (
    <>
      <div className={classes.sub}>
        {cluster.name && (
          <>
            <Availability cluster={cluster} />
            {' · '}
          </>
        )}
        {t('drawer.application', { name: application.name })}
      </div>
      <div className={classes.status}>
        <StateLabel state={state} />
        <HealthLabel status={health} old={cluster.stale} />
        <SyncLabel status={sync} was={oldSync(props.row)} />
        <span>
          {since && t('drawer.since', { age: <Age at={since} as="for" /> })}
        </span>
      </div>
    </>
  );
}

/** As in many mail programs. */
const PREVIOUS_KEY = 'k';
const NEXT_KEY = 'j';

function HeadButton(props: {
  readonly label: string;
  readonly shortcut: string;
  readonly onClick: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  const classes = useStyles();
  const { label, shortcut, onClick } = props;
  return (
    <IconButton
      size="small"
      className={classes.close}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={`${label} (${shortcut})`}
      // Not the attribute `disabled`: at the last row, the focus would leave the drawer.
      aria-disabled={onClick === undefined}
      onClick={onClick}
    >
      {props.children}
    </IconButton>
  );
}

/** Details of one Application on one cluster, which it loads while it is open; delivery path and errors come first. */
export function ClusterDrawer(props: {
  /** Key of the open row; undefined while the drawer is closed. */
  readonly openRow: string | undefined;
  /** That row; undefined if the ApplicationSet does not have it, or no longer. */
  readonly row: ApplicationRow | undefined;
  /** The ApplicationSet. */
  readonly set: ObjectRef;
  readonly sources: readonly Source[];
  /** Shows the row before it, or after it, in the table's order; undefined where there is none. */
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  readonly onClose: () => void;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const still = useMediaQuery('(prefers-reduced-motion: reduce)', {
    noSsr: true,
  });
  const { openRow, set, sources, onPrevious, onNext } = props;
  // The drawer keeps its content while it slides out, and when the row disappears under the reader.
  const last = useRef({ key: openRow, row: props.row });
  if (openRow && (props.row || openRow !== last.current.key)) {
    last.current = { key: openRow, row: props.row };
  }
  const { key, row } = last.current;
  const title = row ? rowTitleOf(row) : titleOfKey(key);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === PREVIOUS_KEY) {
      onPrevious?.();
    } else if (event.key === NEXT_KEY) {
      onNext?.();
    }
  }

  return (
    <Drawer
      anchor="right"
      open={openRow !== undefined}
      onClose={props.onClose}
      transitionDuration={still ? 0 : undefined}
      BackdropProps={{ invisible: true }}
      PaperProps={{
        className: classes.paper,
        elevation: 8,
        role: 'dialog',
        'aria-modal': true,
        'aria-label': title,
        // Not of the drawer itself: that would take the key Escape from it.
        onKeyDown,
      }}
    >
      <div className={classes.head}>
        <div className={classes.title}>
          <h2>{title}</h2>
          {row && <KnownFromRow row={row} />}
        </div>
        <HeadButton
          label={t('drawer.previous')}
          shortcut={PREVIOUS_KEY}
          onClick={onPrevious}
        >
          <PreviousIcon fontSize="small" />
        </HeadButton>
        <HeadButton
          label={t('drawer.next')}
          shortcut={NEXT_KEY}
          onClick={onNext}
        >
          <NextIcon fontSize="small" />
        </HeadButton>
        <IconButton
          size="small"
          className={classes.close}
          aria-label={t('drawer.close')}
          onClick={props.onClose}
        >
          <CloseIcon fontSize="small" />
        </IconButton>
      </div>
      {openRow && !props.row && (
        <Notice kind="warning" title={t('drawer.gone.title')}>
          <p>{t('drawer.gone.body', { set: set.name })}</p>
          {row && <p>{t('drawer.gone.lastKnown')}</p>}
        </Notice>
      )}
      {row && (
        <ApplicationDetails
          key={rowKeyOf(row)}
          row={row}
          set={set}
          sources={sources}
        />
      )}
    </Drawer>
  );
}

/** Title of a row that is not known, as in an outdated link. */
function titleOfKey(key = ''): string {
  const [cluster, , application] = key.split('/');
  return cluster || application;
}
