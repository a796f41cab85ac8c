import { Content, Header, Page } from '@backstage/core-components';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import { FleetRoutes } from './FleetRoutes';
import { usePageTitle } from './usePageTitle';

/** The page for classic apps, with its own header. */
export function ClassicFleetPage() {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <Page themeId="tool">
      <Header title={t('list.title')} pageTitleOverride={usePageTitle()} />
      <Content>
        <FleetRoutes />
      </Content>
    </Page>
  );
}
