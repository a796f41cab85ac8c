import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { RollingSyncPosition } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { AgeAndClock } from '../time/Age';
import { useDetailStyles } from './detailStyles';

/** The step of a rolling sync that an Application is in, and what the ApplicationSet's controller says of it. */
export function RollingSyncFact(props: {
  readonly position: RollingSyncPosition;
}) {
  const classes = useDetailStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { step, steps, status, message, since } = props.position;
  return (
    <>
      {step === undefined
        ? t('drawer.rollingSyncNoStep', { steps: String(steps) })
        : t('drawer.rollingSyncStep', {
            step: String(step),
            steps: String(steps),
          })}
      {status && <> · {status}</>} {since && <AgeAndClock at={since} />}
      {message && <div className={classes.note}>{message}</div>}
    </>
  );
}
