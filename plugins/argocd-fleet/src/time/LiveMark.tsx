import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { LiveState } from '../live/liveQuery';
import { argocdFleetTranslationRef } from '../messages';
import { serverMessageOf } from '../notice/requestProblem';
import { fleetPalette } from '../status/palette';
import { Age } from './Age';

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
    };
  },
  { name: 'ArgocdFleetLiveMark' },
);

/** Says whether the page follows the fleet, and how old it is. */
export function LiveMark(props: { readonly live: LiveState<unknown> }) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { connection, updatedAt, error } = props.live;
  if (updatedAt === undefined) {
    return null;
  }
  const reconnecting = connection === 'reconnecting';
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
      {t(`live.${connection}`, { age: <Age at={updatedAt} every={1_000} /> })}
    </span>
  );
}
