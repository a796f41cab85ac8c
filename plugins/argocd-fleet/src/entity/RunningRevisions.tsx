import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Revision } from '../source/Revision';

/** Revisions shown; more of them run for a short time only. */
const SHOWN = 3;

const useStyles = makeStyles(
  { list: { listStyle: 'none', margin: 0, padding: 0 } },
  { name: 'ArgocdFleetRunningRevisions' },
);

/**
 * Whether several revisions run, or another one than the one that is wanted. Where Argo CD cannot compare, the wanted
 * one is not known, and the one that runs may still be it.
 */
export function isHalfRolledOut({ revisions }: ApplicationSet): boolean {
  return (
    revisions.length > 1 ||
    revisions.some(({ clusters, wanted }) => wanted > clusters)
  );
}

/** The revisions that run, the latest first, with the number of clusters of each. */
export function RunningRevisions(props: { readonly set: ApplicationSet }) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { revisions, sources } = props.set;
  const more = revisions.length - SHOWN;
  const known = revisions.some(({ wanted }) => wanted > 0);
  return (
    <ul className={classes.list}>
      {revisions.slice(0, SHOWN).map(({ revision, clusters, wanted }) => (
        <li key={revision}>
          <Revision revision={revision} source={sources[0]} />{' '}
          {t('card.onClusters', {
            count: clusters,
            number: clusters.toString(),
          })}
          {known && wanted === 0 && `, ${t('card.notWanted')}`}
          {wanted > clusters &&
            `, ${t('card.wantedOn', { number: wanted.toString() })}`}
        </li>
      ))}
      {more > 0 && <li>{t('card.moreRevisions', { count: more })}</li>}
    </ul>
  );
}
