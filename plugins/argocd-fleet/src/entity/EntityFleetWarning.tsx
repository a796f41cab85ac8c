import { Link } from '@backstage/core-components';
import { useRouteRef } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { useEntity } from '@backstage/plugin-catalog-react';
import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { useEntityFleet } from '../live/queries';
import { argocdFleetTranslationRef } from '../messages';
import { Notice } from '../notice/Notice';
import { refKey } from '../objectRef';
import { fleetTabRouteRef } from '../routes';
import { SetHeadline } from '../status/SetHeadline';
import { entityNameOf } from './entityName';

/** Share of an ApplicationSet's clusters in trouble above which its component has a warning. */
const DEFAULT_SHARE = 0.2;

/** Whether an ApplicationSet is in trouble on more than a share of its clusters. */
function isWidelyInTrouble({ summary }: ApplicationSet, share: number) {
  return summary.state.inTrouble > share * summary.clusters;
}

/** A warning on an entity's page while an ApplicationSet of it is in trouble on too many clusters; else nothing. */
export function EntityFleetWarning(props: {
  /** From 0 to 1; of the clusters of one ApplicationSet. */
  readonly share?: number;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { entity } = useEntity();
  const { data } = useEntityFleet(entityNameOf(entity));
  const tabLink = useRouteRef(fleetTabRouteRef)?.();
  const { share = DEFAULT_SHARE } = props;
  const sets = data?.applicationSets.filter(set =>
    isWidelyInTrouble(set, share),
  );
  return sets && sets.length > 0 ? (
    <Notice kind="problem" title={t('warning.title')}>
      {sets.map(set => (
        <p key={refKey(set.ref)}>
          {set.ref.name}: <SetHeadline set={set} />
        </p>
      ))}
      {tabLink && <Link to={tabLink}>{t('card.open')}</Link>}
    </Notice>
  ) : null;
}
