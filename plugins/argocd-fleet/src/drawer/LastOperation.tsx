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
    operationStartedBy,
    operationAutomated,
    operationInformation = [],
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
      {operationStartedBy && (
        <> · {t('drawer.startedBy', { name: operationStartedBy })}</>
      )}
      {operationAutomated && <> · {t('drawer.automated')}</>}
      {operationInformation.map(({ name, value }) => (
        <div key={name} className={classes.note}>
          {name}: {value}
        </div>
      ))}
      {operationMessage && !inConditions && (
        <div className={classes.note}>{operationMessage}</div>
      )}
    </>
  );
}
