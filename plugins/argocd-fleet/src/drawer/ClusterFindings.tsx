import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  ClusterApplication,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { SetFindings } from '../findings/SetFindings';
import { argocdFleetTranslationRef } from '../messages';

/** What is wrong with the cluster as a whole; renders nothing where nothing is. */
export function ClusterFindings(props: {
  readonly cluster: string;
  readonly findings: readonly Finding[] | undefined;
  /** Of the Application: what they tell already is not told twice. */
  readonly steps: ClusterApplication['steps'];
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { cluster, findings = [], steps } = props;
  if (findings.length === 0) {
    return null;
  }
  const others = findings.filter(
    ({ code, title }) =>
      !steps.some(
        ({ finding }) => finding?.code === code && finding.title === title,
      ),
  );
  return (
    <section aria-label={t('drawer.clusterFindings', { cluster })}>
      <h3>{t('drawer.clusterFindings', { cluster })}</h3>
      {others.length < findings.length && <p>{t('drawer.clusterFault')}</p>}
      {others.length > 0 && <SetFindings findings={others} />}
    </section>
  );
}
