import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { HubState } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Age } from '../time/Age';
import { Notice } from './Notice';

/** Notice for a hub that is not ready, or not read completely; renders nothing for any other. */
export function HubNotice(props: {
  readonly hub: HubState;
  /** Whether the page shows earlier data of the hub. */
  readonly hasData: boolean;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { name, state, message, since } = props.hub;
  if (state === 'ready') {
    return message ? (
      <Notice
        kind="warning"
        title={t('notices.hubPartlyRead.title', { hub: name })}
      >
        <p>{message}</p>
      </Notice>
    ) : null;
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
          <>
            {t('notices.hubUnreachable.since', {
              age: <Age at={since} as="for" />,
            })}{' '}
          </>
        )}
        {t('notices.hubUnreachable.retrying')}
      </p>
      <p>
        {message ??
          (props.hasData
            ? t('notices.hubUnreachable.lastKnown')
            : t('notices.hubUnreachable.nothingKnown'))}
      </p>
    </Notice>
  );
}
