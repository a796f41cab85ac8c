import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { matchPath, useParams } from 'react-router-dom';
import { argocdFleetTranslationRef } from '../messages';
import { applicationSetRouteRef } from '../routes';

/** Title for the browser's tab and history: the list, or the open ApplicationSet. */
export function usePageTitle(): string {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { '*': below = '' } = useParams();
  const set = matchPath(applicationSetRouteRef.path, `/${below}`);
  return [set?.params.name, t('list.title')].filter(Boolean).join(' | ');
}
