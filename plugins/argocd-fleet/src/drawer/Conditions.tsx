import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { ApplicationCondition } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { useCodeStyles } from '../code/CopyableCode';
import { useDetailStyles } from './detailStyles';

/** Known errors and warnings in Argo CD's words; renders nothing where there are none. */
export function Conditions(props: {
  readonly conditions: readonly ApplicationCondition[];
}) {
  const classes = useDetailStyles();
  const codeClasses = useCodeStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  if (props.conditions.length === 0) {
    return null;
  }
  return (
    <>
      <h3>{t('drawer.conditions')}</h3>
      {props.conditions.map(({ type, message, truncated }) => (
        <div key={`${type}/${message}`}>
          <div className={classes.dim}>{type}</div>
          <pre className={codeClasses.message}>{message}</pre>
          {truncated && (
            <div className={classes.note}>{t('drawer.truncated')}</div>
          )}
        </div>
      ))}
    </>
  );
}
