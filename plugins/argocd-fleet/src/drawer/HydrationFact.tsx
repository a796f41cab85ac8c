import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { Hydration, Source } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Revision } from '../source/Revision';
import { AgeAndClock } from '../time/Age';
import { useDetailStyles } from './detailStyles';

/** What the source hydrator rendered last, and what it does now. */
export function HydrationFact(props: {
  readonly hydration: Hydration;
  /** What is synced: a branch of the same repository. */
  readonly source: Source | undefined;
}) {
  const classes = useDetailStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { phase, startedAt, message } = props.hydration;
  const { wantedDryRevision, dryRevision, hydratedRevision } = props.hydration;
  const revisionOf = (revision: string) => (
    <Revision revision={revision} source={props.source} />
  );
  const isOther = wantedDryRevision && wantedDryRevision !== dryRevision;
  return (
    <>
      {phase} {startedAt && <AgeAndClock at={startedAt} />}
      {dryRevision && hydratedRevision && (
        <div>
          {t('drawer.hydrated', {
            dry: revisionOf(dryRevision),
            hydrated: revisionOf(hydratedRevision),
          })}
        </div>
      )}
      {isOther && (
        <div>
          {t('drawer.hydrating', {
            dry: revisionOf(wantedDryRevision),
          })}
        </div>
      )}
      {message && <div className={classes.note}>{message}</div>}
    </>
  );
}
