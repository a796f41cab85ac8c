import { useApi } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { HubState, ObjectRef } from 'backstage-plugin-argocd-fleet-common';
import { useEffect, useState } from 'react';
import { argocdFleetApiRef } from '../api';
import { argocdFleetTranslationRef } from '../messages';
import { serverMessageOf } from '../live/requestProblem';
import { HubNotice } from '../notice/HubNotice';
import { Notice } from '../notice/Notice';
import { Age } from '../time/Age';
import type { ResolvedLink } from './linkStates';

/** When the portal recorded the last change of an ApplicationSet; empty while it is loaded, or where there is none. */
function useLastRecorded(ref: ObjectRef): {
  /** RFC 3339. */
  readonly recordedAt?: string;
  readonly error?: Error;
} {
  const api = useApi(argocdFleetApiRef);
  const { hub, namespace, name } = ref;
  const [state, setState] = useState<ReturnType<typeof useLastRecorded>>({});
  useEffect(() => {
    const aborted = new AbortController();
    const { signal } = aborted;
    setState({});
    api
      .listApplicationSetTransitions(
        { hub, namespace, name },
        { limit: 1, signal },
      )
      .then(
        ({ items }) =>
          !signal.aborted && setState({ recordedAt: items[0]?.recordedAt }),
        error => !signal.aborted && setState({ error }),
      );
    return () => aborted.abort();
  }, [api, hub, namespace, name]);
  return state;
}

/** Says that a hub has no such ApplicationSet, and whether it once had. */
function MissingSetNotice(props: {
  readonly applicationSet: ObjectRef;
  readonly via: string;
  /** Time since when the hub answers, where it is known. */
  readonly answersSince: string | undefined;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { applicationSet: ref, via, answersSince } = props;
  const { recordedAt, error } = useLastRecorded(ref);
  const set = `${ref.namespace}/${ref.name}`;
  return (
    <Notice
      kind="warning"
      title={t('notices.missing.title', { set, hub: ref.hub })}
      code={`kubectl -n ${ref.namespace} get applicationsets.argoproj.io`}
    >
      <p>
        {answersSince && (
          <>
            {t('notices.missing.answers', {
              age: <Age at={answersSince} as="for" />,
            })}{' '}
          </>
        )}
        {recordedAt && (
          <>
            {t('notices.missing.recorded', {
              age: <Age at={recordedAt} />,
            })}{' '}
          </>
        )}
        {error && (
          <>
            {t('notices.missing.notRecorded', {
              message: serverMessageOf(error),
            })}{' '}
          </>
        )}
        {t('notices.missing.body', { via })}
      </p>
    </Notice>
  );
}

/** Why a link has no ApplicationSet. */
export function LinkNotice(props: {
  readonly resolved: Exclude<ResolvedLink, { state: 'found' }>;
  readonly hubs: readonly HubState[];
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { resolved, hubs } = props;
  const { ref, via } = resolved.link;
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
    <MissingSetNotice applicationSet={ref} via={via} answersSince={since} />
  );
}
