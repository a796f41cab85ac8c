import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { matchPath, useParams } from 'react-router-dom';
import { argocdFleetTranslationRef } from '../messages';
import { applicationSetRouteRef } from '../routes';

/** Title for the browser's tab and history: the list, the open ApplicationSet, or that there is no such page. */
export function usePageTitle(): string {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { '*': below = '' } = useParams();
  const set = matchPath(applicationSetRouteRef.path, `/${below}`);
  const title = below && !set ? t('list.notFound.title') : set?.params.name;
  return [title, t('list.title')].filter(Boolean).join(' | ');
}
