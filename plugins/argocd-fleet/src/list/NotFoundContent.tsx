import { Link } from '@backstage/core-components';
import { useRouteRef } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { useParams } from 'react-router-dom';
import { argocdFleetTranslationRef } from '../messages';
import { Notice } from '../notice/Notice';
import { rootRouteRef } from '../routes';

/** The page of a path that is none of the plugin's. */
export function NotFoundContent() {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const listLink = useRouteRef(rootRouteRef);
  const { '*': path = '' } = useParams();
  return (
    <Notice kind="warning" title={t('list.notFound.title')}>
      <p>{t('list.notFound.body', { path })}</p>
      <p>
        <Link to={listLink()}>{t('list.back')}</Link>
      </p>
    </Notice>
  );
}
