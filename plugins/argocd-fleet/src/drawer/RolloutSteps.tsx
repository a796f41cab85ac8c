import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { RolloutState } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { useDetailStyles } from './detailStyles';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      row: { display: 'flex', alignItems: 'center', gap: 10, marginTop: 3 },
      bar: { display: 'flex', flex: 1, gap: 2, height: 6 },
      part: {
        flex: 1,
        borderRadius: 3,
        boxSizing: 'border-box',
        background: palette.line,
      },
      done: { background: palette.good },
      current: { background: palette.busy },
      failed: { background: palette.bad },
      words: { marginTop: 0 },
    };
  },
  { name: 'ArgocdFleetRolloutSteps' },
);

/** More steps than this are drawn as one bar: they would be too narrow, and a cluster may report any number. */
const MOST_PARTS = 50;

/** The steps of a canary: done, current and still to come. Renders nothing where there are none. */
export function RolloutSteps(props: { readonly rollout: RolloutState }) {
  const classes = useStyles();
  const detailClasses = useDetailStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { name, step, steps, phase } = props.rollout;
  if (!steps || step === undefined) {
    return null;
  }
  const words =
    step >= steps
      ? t('rollouts.through', { count: steps })
      : t('rollouts.step', { number: String(step + 1), total: String(steps) });
  const current = phase === 'Degraded' ? classes.failed : classes.current;
  const done = Math.min(step, steps);
  const groups = [
    { length: done, className: classes.done },
    { length: Math.min(steps - done, 1), className: current },
    { length: Math.max(steps - done - 1, 0), className: '' },
  ];
  const parts =
    steps > MOST_PARTS
      ? groups
      : groups.flatMap(({ length, className }) =>
          Array.from({ length }, () => ({ length: 1, className })),
        );
  return (
    <div className={classes.row}>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={steps}
        aria-valuenow={Math.min(step, steps)}
        aria-valuetext={words}
      >
        {parts.map(({ length, className }, index) => (
          <div
            key={index}
            className={`${classes.part} ${className}`}
            style={{ flexGrow: length }}
          />
        ))}
      </div>
      <span className={`${detailClasses.note} ${classes.words}`}>{words}</span>
    </div>
  );
}
