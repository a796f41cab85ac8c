import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import Drawer from '@material-ui/core/Drawer';
import IconButton from '@material-ui/core/IconButton';
import { makeStyles } from '@material-ui/core/styles';
import useMediaQuery from '@material-ui/core/useMediaQuery';
import CloseIcon from '@material-ui/icons/Close';
import type {
  ApplicationRow,
  ObjectRef,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { useRef } from 'react';
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

/** Details of one Application on one cluster, which it loads while it is open; delivery path and errors come first. */
export function ClusterDrawer(props: {
  /** Key of the open row; undefined while the drawer is closed. */
  readonly openRow: string | undefined;
  /** That row; undefined if the ApplicationSet does not have it, or no longer. */
  readonly row: ApplicationRow | undefined;
  /** The ApplicationSet. */
  readonly set: ObjectRef;
  readonly sources: readonly Source[];
  readonly onClose: () => void;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const still = useMediaQuery('(prefers-reduced-motion: reduce)', {
    noSsr: true,
  });
  const { openRow, set, sources } = props;
  // The drawer keeps its content while it slides out, and when the row disappears under the reader.
  const last = useRef({ key: openRow, row: props.row });
  if (openRow && (props.row || openRow !== last.current.key)) {
    last.current = { key: openRow, row: props.row };
  }
  const { key, row } = last.current;
  const title = row ? rowTitleOf(row) : titleOfKey(key);

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
      }}
    >
      <div className={classes.head}>
        <div className={classes.title}>
          <h2>{title}</h2>
          {row && <KnownFromRow row={row} />}
        </div>
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
