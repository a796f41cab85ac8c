import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { HubState } from 'backstage-plugin-argocd-fleet-common';
import type { LiveState } from './liveQuery';
import { argocdFleetTranslationRef } from '../messages';
import { serverMessageOf } from './requestProblem';
import { fleetPalette } from '../status/palette';
import { Age } from '../time/Age';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      mark: { color: palette.dim, whiteSpace: 'nowrap' },
      dot: {
        display: 'inline-block',
        width: 8,
        height: 8,
        borderRadius: '50%',
        marginRight: 6,
        border: `2px solid ${palette.good}`,
      },
      live: { background: palette.good },
      reconnecting: { color: palette.bad },
      dotReconnecting: { borderColor: palette.bad },
      dotNeutral: { borderColor: palette.dim },
    };
  },
  { name: 'ArgocdFleetLiveMark' },
);

/** Shows whether the page is live; while it is not, the age of its data. */
export function LiveMark(props: {
  readonly live: LiveState<unknown>;
  /** The hubs on the page: it is not live while one of them is unreachable. */
  readonly hubs?: readonly HubState[];
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { live, hubs = [] } = props;
  const { connection, updatedAt, error } = live;
  if (updatedAt === undefined) {
    return null;
  }
  const reconnecting = connection === 'reconnecting';
  const unreachable = hubs.filter(
    ({ state }) => state === 'unreachable',
  ).length;
  if (unreachable > 0 && !reconnecting) {
    return (
      <span className={classes.mark}>
        <span
          className={`${classes.dot} ${classes.dotNeutral}`}
          aria-hidden="true"
        />
        {hubs.length === 1
          ? t('live.hubUnreachable')
          : t('live.hubsUnreachable', {
              number: String(unreachable),
              total: String(hubs.length),
            })}
      </span>
    );
  }
  const dot = [
    classes.dot,
    connection === 'live' && classes.live,
    reconnecting && classes.dotReconnecting,
  ];
  return (
    <span
      className={`${classes.mark} ${reconnecting ? classes.reconnecting : ''}`}
      title={
        error ? t('live.why', { message: serverMessageOf(error) }) : undefined
      }
    >
      <span className={dot.filter(Boolean).join(' ')} aria-hidden="true" />
      {t(`live.${connection}`, { age: <Age at={updatedAt} /> })}
    </span>
  );
}
