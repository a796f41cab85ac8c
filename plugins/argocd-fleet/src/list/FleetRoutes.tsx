import { Route, Routes } from 'react-router-dom';
import { applicationSetRouteRef } from '../routes';
import { ApplicationSetContent } from './ApplicationSetContent';
import { ApplicationSetListContent } from './ApplicationSetListContent';

/** The list, and one set below it. */
export function FleetRoutes() {
  return (
    <Routes>
      <Route index element={<ApplicationSetListContent />} />
      <Route
        path={applicationSetRouteRef.path}
        element={<ApplicationSetContent />}
      />
    </Routes>
  );
}
