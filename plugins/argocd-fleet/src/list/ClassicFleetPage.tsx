import { Header, Page } from '@backstage/core-components';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import { FleetPageContent } from './FleetPageContent';

/** The page with a heading of its own, for classic apps. */
export function ClassicFleetPage() {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <Page themeId="tool">
      <Header title={t('list.title')} />
      <FleetPageContent />
    </Page>
  );
}
