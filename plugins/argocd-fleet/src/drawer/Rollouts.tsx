import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { RolloutState } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { HEALTH_PRESENTATION } from '../status/presentation';
import { ShapedText } from '../status/StatusLabel';
import { useDetailStyles } from './detailStyles';
import { RolloutSteps } from './RolloutSteps';

const useStyles = makeStyles(
  theme => ({
    list: { listStyle: 'none', margin: 0, padding: 0, fontSize: 13 },
    rollout: {
      padding: '5px 0 7px',
      borderBottom: `1px solid ${fleetPalette(theme).line}`,
    },
    head: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: 12,
    },
    name: { flex: 1, minWidth: 90, overflowWrap: 'anywhere' },
    message: { overflowWrap: 'anywhere', '&&': { marginTop: 3 } },
  }),
  { name: 'ArgocdFleetRollouts' },
);

/** Phases of Argo Rollouts, presented like the health that Argo CD derives from them. */
const PHASES = {
  Healthy: HEALTH_PRESENTATION.Healthy,
  Progressing: HEALTH_PRESENTATION.Progressing,
  Paused: HEALTH_PRESENTATION.Suspended,
  Degraded: HEALTH_PRESENTATION.Degraded,
} as const;

function isPhase(phase: string | undefined): phase is keyof typeof PHASES {
  return phase !== undefined && Object.hasOwn(PHASES, phase);
}

function RolloutPhase(props: { readonly phase: string | undefined }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { phase } = props;
  return isPhase(phase) ? (
    <ShapedText of={PHASES[phase]}>{t(`rollouts.phase.${phase}`)}</ShapedText>
  ) : (
    <ShapedText of={HEALTH_PRESENTATION.Unknown}>
      {phase ?? t('rollouts.notSeen')}
    </ShapedText>
  );
}

/** Progress of each Argo Rollout; renders nothing where none is known. */
export function Rollouts(props: {
  readonly rollouts: readonly RolloutState[] | undefined;
}) {
  const classes = useStyles();
  const detailClasses = useDetailStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { rollouts = [] } = props;
  if (rollouts.length === 0) {
    return null;
  }
  return (
    <>
      <h3>{t('rollouts.title')}</h3>
      <ul className={classes.list} aria-label={t('rollouts.title')}>
        {rollouts.map(rollout => {
          const { namespace, name, phase, strategy, weight, message } = rollout;
          return (
            <li key={`${namespace}/${name}`} className={classes.rollout}>
              <div className={classes.head}>
                <span className={classes.name} title={namespace}>
                  {name}
                </span>
                {strategy && (
                  <span className={detailClasses.dim}>
                    {t(`rollouts.strategy.${strategy}`)}
                  </span>
                )}
                {weight !== undefined && phase !== 'Healthy' && (
                  <span title={t('rollouts.weightTitle')}>
                    {t('rollouts.weight', { percent: String(weight) })}
                  </span>
                )}
                <RolloutPhase phase={phase} />
              </div>
              <RolloutSteps rollout={rollout} />
              {message && (
                <div
                  className={`${classes.message} ${
                    phase === 'Degraded'
                      ? detailClasses.error
                      : detailClasses.note
                  }`}
                >
                  {message}
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
