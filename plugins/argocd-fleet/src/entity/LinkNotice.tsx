import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { HubState } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { HubNotice } from '../notice/HubNotice';
import { Notice } from '../notice/Notice';
import { Age } from '../time/Age';
import type { ResolvedLink } from './linkStates';

/** Why a link has no ApplicationSet. */
export function LinkNotice(props: {
  readonly resolved: Exclude<ResolvedLink, { state: 'found' }>;
  readonly hubs: readonly HubState[];
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { resolved, hubs } = props;
  const { ref, via } = resolved.link;
  const set = `${ref.namespace}/${ref.name}`;
  if (resolved.state === 'hubUnavailable') {
    return <HubNotice hub={resolved.hub} hasData={false} />;
  }
  if (resolved.state === 'hubUnknown') {
    const known = hubs.map(({ name }) => `“${name}”`).join(', ');
    return (
      <Notice
        kind="warning"
        title={t('notices.hubUnknown.title', { hub: ref.hub })}
      >
        <p>
          {known
            ? t('notices.hubUnknown.bodyKnown', {
                hub: ref.hub,
                hubs: known,
                via,
              })
            : t('notices.hubUnknown.body', { hub: ref.hub, via })}
        </p>
      </Notice>
    );
  }
  const since = hubs.find(
    ({ name, state }) => name === ref.hub && state === 'ready',
  )?.since;
  return (
    <Notice
      kind="warning"
      title={t('notices.missing.title', { set, hub: ref.hub })}
      code={`kubectl -n ${ref.namespace} get applicationsets.argoproj.io`}
    >
      <p>
        {since && (
          <>
            {t('notices.missing.answers', {
              age: <Age at={since} as="for" every={1_000} />,
            })}{' '}
          </>
        )}
        {t('notices.missing.body', { via })}
      </p>
    </Notice>
  );
}
