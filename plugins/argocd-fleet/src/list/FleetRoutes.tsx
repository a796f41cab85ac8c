import { Route, Routes } from 'react-router-dom';
import { applicationSetRouteRef } from '../routes';
import { ApplicationSetContent } from './ApplicationSetContent';
import { ApplicationSetListContent } from './ApplicationSetListContent';

/** Routes of the page: the list, and one ApplicationSet. */
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
