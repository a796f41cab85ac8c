import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Age } from '../time/Age';
import { useDetailStyles } from './detailStyles';

/** What came of Argo CD's last operation, and what Argo CD says of it where nothing above it says that already. */
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
  const told = conditions.some(
    ({ message }) => operationMessage && message.includes(operationMessage),
  );
  return (
    <>
      {phase} {operationStartedAt && <Age at={operationStartedAt} />}
      {operationRetries ? (
        <> · {t('drawer.retries', { count: operationRetries })}</>
      ) : undefined}
      {operationMessage && !told && (
        <div className={classes.note}>{operationMessage}</div>
      )}
    </>
  );
}
