import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { ApplicationSetRows } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Notice } from '../notice/Notice';

/** Findings that say why there is no Application: an error of the generator, and no Placement or cluster. */
const EXPLAINED_BY = ['AFC-301', 'AFC-302', 'AFC-303'];

/** Why an ApplicationSet has no rows. */
export function EmptySetNotice(props: { readonly set: ApplicationSetRows }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { ref, placement, excluded, hubState, findings } = props.set;
  if (
    hubState.state !== 'ready' ||
    findings.some(({ code }) => EXPLAINED_BY.includes(code))
  ) {
    // The hub's own notice, or the finding, explains it.
    return null;
  }
  if (excluded.length > 0) {
    return <Notice kind="hint" title={t('notices.nothingDelivered.title')} />;
  }
  if (placement?.decisions === 0) {
    return (
      <Notice
        kind="warning"
        title={t('notices.noClusters.title')}
        code={`kubectl -n ${ref.namespace} describe placements.cluster.open-cluster-management.io ${placement.name}`}
      >
        <p>
          {t('notices.noClusters.body', {
            placement: placement.name,
            namespace: ref.namespace,
          })}
        </p>
      </Notice>
    );
  }
  return (
    <Notice
      kind="warning"
      title={t('notices.noApplications.title')}
      code={`kubectl -n ${ref.namespace} describe applicationsets.argoproj.io ${ref.name}`}
    >
      <p>{t('notices.noApplications.body')}</p>
    </Notice>
  );
}
