import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { HubState } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Age } from '../time/Age';
import { Notice } from './Notice';

/** A hub that is not ready; nothing where it is. */
export function HubNotice(props: {
  readonly hub: HubState;
  /** Whether something is shown that was known before. */
  readonly hasData: boolean;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { name, state, message, since } = props.hub;
  if (state === 'ready') {
    return null;
  }
  if (state === 'starting') {
    return (
      <Notice
        kind="waiting"
        title={t('notices.hubStarting.title', { hub: name })}
      >
        <p>{t('notices.hubStarting.body')}</p>
        {message && <p>{message}</p>}
      </Notice>
    );
  }
  return (
    <Notice
      kind="problem"
      title={t('notices.hubUnreachable.title', { hub: name })}
    >
      <p>
        {since && (
          <>{t('notices.hubUnreachable.since', { age: <Age at={since} /> })} </>
        )}
        {props.hasData
          ? t('notices.hubUnreachable.lastKnown')
          : t('notices.hubUnreachable.nothingKnown')}
      </p>
      {message && <p>{message}</p>}
    </Notice>
  );
}
