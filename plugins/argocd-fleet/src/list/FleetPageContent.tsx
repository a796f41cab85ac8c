import { Content } from '@backstage/core-components';
import { Route, Routes } from 'react-router-dom';
import { applicationSetRouteRef } from '../routes';
import { ApplicationSetContent } from './ApplicationSetContent';
import { ApplicationSetListContent } from './ApplicationSetListContent';

/** The page's content; its heading is the app's in the new frontend system, and our own in classic apps. */
export function FleetPageContent() {
  return (
    <Content>
      <Routes>
        <Route index element={<ApplicationSetListContent />} />
        <Route
          path={applicationSetRouteRef.path}
          element={<ApplicationSetContent />}
        />
      </Routes>
    </Content>
  );
}
