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
import { rowKeyOf, rowTitleOf } from '../section/rows';
import { fleetPalette } from '../status/palette';
import { Age } from '../time/Age';
import { ApplicationFacts } from './ApplicationFacts';
import { Conditions } from './Conditions';
import { DeliveryPath } from './DeliveryPath';
import { ResourcesTable } from './ResourcesTable';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      paper: {
        width: 560,
        maxWidth: '100vw',
        boxSizing: 'border-box',
        padding: '18px 22px',
        fontSize: 14,
        '& h2': { margin: 0, fontSize: 20, fontWeight: 500 },
        '& h3': { margin: '18px 0 6px', fontSize: 14, fontWeight: 500 },
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

/** Everything about one Application on one cluster; what is wrong comes first. */
export function ClusterDrawer(props: {
  readonly application: ClusterApplication | undefined;
  readonly hub: string;
  readonly source: Source | undefined;
  readonly onClose: () => void;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  // While it slides out it still shows what it showed.
  const last = useRef(props.application);
  last.current = props.application ?? last.current;
  const shown = last.current;
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
          <ResourcesTable application={shown} />
          <ApplicationFacts
            application={shown}
            hub={props.hub}
            source={props.source}
          />
        </>
      )}
    </Drawer>
  );
}
