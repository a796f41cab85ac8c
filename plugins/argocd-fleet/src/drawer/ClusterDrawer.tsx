import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import Drawer from '@material-ui/core/Drawer';
import IconButton from '@material-ui/core/IconButton';
import { makeStyles } from '@material-ui/core/styles';
import CloseIcon from '@material-ui/icons/Close';
import type {
  ClusterApplication,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { useRef } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { rowKeyOf, rowTitleOf } from '../rowIdentity';
import { fleetPalette } from '../status/palette';
import { Age } from '../time/Age';
import { ApplicationFacts } from './ApplicationFacts';
import { ChildApplications } from './ChildApplications';
import { Conditions } from './Conditions';
import { DeliveryPath } from './DeliveryPath';
import { DetailsOrigin } from './DetailsOrigin';
import { ExternalLinks } from './ExternalLinks';
import { ResourcesTable } from './ResourcesTable';
import { Rollouts } from './Rollouts';
import { SyncHistory } from './SyncHistory';
import { Timeline } from './timeline/Timeline';

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
      sub: { color: palette.dim, overflowWrap: 'anywhere' },
    };
  },
  { name: 'ArgocdFleetClusterDrawer' },
);

function Availability(props: {
  readonly cluster: ClusterApplication['cluster'];
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { available, stale, staleSince } = props.cluster;
  if (stale) {
    return staleSince ? (
      <>{t('drawer.stale', { age: <Age at={staleSince} /> })}</>
    ) : (
      <>{t('drawer.staleNoTime')}</>
    );
  }
  const words = {
    True: 'drawer.available',
    False: 'drawer.unavailable',
    Unknown: 'drawer.availabilityUnknown',
  } as const;
  return <>{t(words[available])}</>;
}

/** Details of one Application on one cluster; delivery path and errors come first. */
export function ClusterDrawer(props: {
  readonly application: ClusterApplication | undefined;
  readonly hub: string;
  readonly sources: readonly Source[];
  /** Time of the page's last update, in epoch milliseconds. */
  readonly asOf: number | undefined;
  readonly onClose: () => void;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { hub, sources } = props;
  // While the drawer slides out, it keeps its content and loads nothing.
  const last = useRef<Pick<typeof props, 'application' | 'asOf'>>(props);
  last.current = props.application ? props : last.current;
  const { application: shown, asOf } = last.current;
  const titleId = `argocd-fleet-drawer-${shown && rowKeyOf(shown)}`;

  return (
    <Drawer
      anchor="right"
      open={Boolean(props.application)}
      onClose={props.onClose}
      BackdropProps={{ invisible: true }}
      PaperProps={{
        className: classes.paper,
        elevation: 8,
        role: 'dialog',
        'aria-modal': true,
        'aria-labelledby': titleId,
      }}
    >
      {shown && (
        <>
          <div className={classes.head}>
            <div className={classes.title}>
              <h2 id={titleId}>{rowTitleOf(shown)}</h2>
              <div className={classes.sub}>
                {shown.cluster.name && (
                  <>
                    <Availability cluster={shown.cluster} />
                    {' · '}
                  </>
                )}
                {t('drawer.application', { name: shown.application.name })}
                <ExternalLinks urls={shown.externalUrls} />
              </div>
            </div>
            <IconButton
              size="small"
              aria-label={t('drawer.close')}
              onClick={props.onClose}
            >
              <CloseIcon fontSize="small" />
            </IconButton>
          </div>
          <DeliveryPath steps={shown.steps} />
          <Conditions conditions={shown.conditions} />
          <Rollouts rollouts={shown.rollouts} />
          <ResourcesTable application={shown} />
          <DetailsOrigin application={shown} />
          <ChildApplications applications={shown.childApplications} />
          <Timeline
            application={{ hub, ...shown.application }}
            sources={sources}
            asOf={asOf}
          />
          <SyncHistory history={shown.history} sources={sources} />
          <ApplicationFacts application={shown} hub={hub} sources={sources} />
        </>
      )}
    </Drawer>
  );
}
