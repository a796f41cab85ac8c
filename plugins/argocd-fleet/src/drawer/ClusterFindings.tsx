import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { SetFindings } from '../findings/SetFindings';
import { argocdFleetTranslationRef } from '../messages';

/** What is wrong with the cluster as a whole; renders nothing where nothing is. */
export function ClusterFindings(props: {
  readonly cluster: string;
  readonly findings: readonly Finding[] | undefined;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { cluster, findings = [] } = props;
  if (findings.length === 0) {
    return null;
  }
  return (
    <section aria-label={t('drawer.clusterFindings', { cluster })}>
      <h3>{t('drawer.clusterFindings', { cluster })}</h3>
      <SetFindings findings={findings} />
    </section>
  );
}
