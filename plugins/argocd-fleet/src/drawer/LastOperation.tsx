import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { AgeAndClock } from '../time/Age';
import { useDetailStyles } from './detailStyles';

/** Result of Argo CD's last operation, and its message unless a condition above contains it. */
export function LastOperation(props: {
  readonly application: ClusterApplication;
}) {
  const classes = useDetailStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const {
    phase,
    operationStartedAt,
    operationRetries,
    operationMessage,
    conditions,
  } = props.application;
  const inConditions = conditions.some(
    ({ message }) => operationMessage && message.includes(operationMessage),
  );
  return (
    <>
      {phase} {operationStartedAt && <AgeAndClock at={operationStartedAt} />}
      {operationRetries ? (
        <> · {t('drawer.retries', { count: operationRetries })}</>
      ) : undefined}
      {operationMessage && !inConditions && (
        <div className={classes.note}>{operationMessage}</div>
      )}
    </>
  );
}
