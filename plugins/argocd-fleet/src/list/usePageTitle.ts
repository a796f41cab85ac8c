import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { matchPath, useParams } from 'react-router-dom';
import { argocdFleetTranslationRef } from '../messages';
import {
  applicationSetRouteRef,
  findingRouteRef,
  findingsRouteRef,
} from '../routes';

/** Title for the browser's tab and history: the list, the open ApplicationSet, a finding, or that there is no such page. */
export function usePageTitle(): string {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { '*': below = '' } = useParams();
  const set = matchPath(applicationSetRouteRef.path, `/${below}`);
  const path = `/${below}`;
  const code = matchPath(findingRouteRef.path, path)?.params.code;
  const findings =
    (code ?? matchPath(findingsRouteRef.path, path)) && t('finding.list');
  const isUnknown = below && !set && !findings;
  return [
    isUnknown && t('list.notFound.title'),
    set?.params.name,
    code,
    findings,
    t('list.title'),
  ]
    .filter(Boolean)
    .join(' | ');
}
