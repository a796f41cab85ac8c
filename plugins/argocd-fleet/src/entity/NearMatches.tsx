import { ANNOTATION_EDIT_URL } from '@backstage/catalog-model';
import { Link } from '@backstage/core-components';
import { useRouteRef } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { useEntity } from '@backstage/plugin-catalog-react';
import { makeStyles } from '@material-ui/core/styles';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  formatApplicationSetAnnotation,
  type NearMatch,
} from 'backstage-plugin-argocd-fleet-common';
import { CopyableCode } from '../code/CopyableCode';
import { argocdFleetTranslationRef } from '../messages';
import { refKey } from '../objectRef';
import { applicationSetLinkRouteRef } from '../routes';
import { fleetPalette } from '../status/palette';

const useStyles = makeStyles(
  theme => ({
    list: { listStyle: 'none', margin: '10px 0 0', padding: 0 },
    match: { '& + &': { marginTop: 10 } },
    why: { color: fleetPalette(theme).dim, marginLeft: 8 },
  }),
  { name: 'ArgocdFleetNearMatches' },
);

/** ApplicationSets that an entity without link may mean, each with the annotation to copy. */
export function NearMatches(props: { readonly matches: readonly NearMatch[] }) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  // The tab may be in an app without the page.
  const setLink = useRouteRef(applicationSetLinkRouteRef);
  return (
    <ul className={classes.list} aria-label={t('notices.nearMatches.list')}>
      {props.matches.map(({ ref, why }) => {
        const name = `${ref.namespace}/${ref.name}`;
        return (
          <li key={refKey(ref)} className={classes.match}>
            {setLink ? <Link to={setLink({ ...ref })}>{name}</Link> : name}
            <span className={classes.why}>
              {t('notices.nearMatches.onHub', { hub: ref.hub })} ·{' '}
              {t(`notices.nearMatches.${why}`)}
            </span>
            <CopyableCode text={annotationLine(ref)} />
          </li>
        );
      })}
    </ul>
  );
}

/** A line of YAML: the annotation that links an ApplicationSet. */
function annotationLine(ref: NearMatch['ref']): string {
  return `${APPLICATION_SET_ENTITY_ANNOTATION}: ${formatApplicationSetAnnotation([ref])}`;
}

/** Where the entity's file can be edited at its source control host, if the portal knows. */
export function EditEntityLink() {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { entity } = useEntity();
  const url = entity.metadata.annotations?.[ANNOTATION_EDIT_URL];
  return url && /^https?:\/\//.test(url) ? (
    <Link to={url}>{t('notices.nearMatches.edit')}</Link>
  ) : null;
}
