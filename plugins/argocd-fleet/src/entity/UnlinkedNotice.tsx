import { Link } from '@backstage/core-components';
import {
  errorApiRef,
  useApi,
  useApiHolder,
  useRouteRef,
} from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { makeStyles } from '@material-ui/core/styles';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  type EntityFleet,
  type NearMatch,
} from 'backstage-plugin-argocd-fleet-common';
import { useEffect, useState } from 'react';
import { CopyableCode } from '../code/CopyableCode';
import { argocdFleetTranslationRef } from '../messages';
import { Notice } from '../notice/Notice';
import { templateRouteRef } from '../routes';
import { EditEntityLink, NearMatches } from './NearMatches';

const useStyles = makeStyles(
  {
    links: {
      display: 'flex',
      flexWrap: 'wrap',
      gap: '4px 20px',
      marginTop: 10,
      fontSize: 14,
    },
  },
  { name: 'ArgocdFleetUnlinkedNotice' },
);

const TEMPLATE = {
  namespace: 'default',
  templateName: 'new-pull-model-application',
};

/** Link to the template for a new application, where the portal has it. */
function TemplateLink() {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const catalog = useApiHolder().get(catalogApiRef);
  const templateLink = useRouteRef(templateRouteRef);
  const errors = useApi(errorApiRef);
  const [exists, setExists] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    catalog
      ?.getEntityByRef(
        `template:${TEMPLATE.namespace}/${TEMPLATE.templateName}`,
      )
      .then(
        template => isCurrent && setExists(template !== undefined),
        // Without the link, the notice says all that is needed.
        error => errors.post(error, { hidden: true }),
      );
    return () => {
      isCurrent = false;
    };
  }, [catalog, errors]);
  return exists && templateLink ? (
    <Link to={templateLink(TEMPLATE)}>
      {t('notices.noAnnotation.template')}
    </Link>
  ) : null;
}

/** Where the annotation is written, and where a new application begins. */
function NextSteps() {
  const classes = useStyles();
  return (
    <div className={classes.links}>
      <EditEntityLink />
      <TemplateLink />
    </div>
  );
}

const EXAMPLE = [
  'metadata:',
  '  annotations:',
  `    ${APPLICATION_SET_ENTITY_ANNOTATION}: <namespace>/<name>`,
].join('\n');

/** Notice for an entity without link: what it may mean, and how to link it. */
export function UnlinkedNotice(props: {
  readonly fleet: Pick<EntityFleet, 'hint' | 'nearMatches'>;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { hint, nearMatches = [] } = props.fleet;
  return (
    <Notice kind="hint" title={t('notices.noAnnotation.title')}>
      {hint && <p>{hint}</p>}
      {nearMatches.length > 0 ? (
        <>
          <p>{t('notices.nearMatches.unlinked')}</p>
          <NearMatches matches={nearMatches} />
        </>
      ) : (
        <>
          <p>{t('notices.noAnnotation.body')}</p>
          <CopyableCode text={EXAMPLE} />
        </>
      )}
      <NextSteps />
    </Notice>
  );
}

/** Notice for what is wrong with an annotation. */
export function AnnotationProblemNotice(props: { readonly problem: string }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <Notice kind="warning" title={t('notices.problem.title')}>
      <p>{props.problem}</p>
    </Notice>
  );
}

/** Notice of ApplicationSets that exist, where the annotation names none that does. */
export function ExistingSetsNotice(props: {
  readonly matches: readonly NearMatch[];
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <Notice kind="hint" title={t('notices.nearMatches.existing')}>
      <NearMatches matches={props.matches} />
      <div className={classes.links}>
        <EditEntityLink />
      </div>
    </Notice>
  );
}
