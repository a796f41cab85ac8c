import { Route, Routes } from 'react-router-dom';
import { FindingContent } from '../findings/FindingContent';
import { FindingListContent } from '../findings/FindingListContent';
import {
  applicationSetRouteRef,
  findingRouteRef,
  findingsRouteRef,
} from '../routes';
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
      <Route path={findingsRouteRef.path} element={<FindingListContent />} />
      <Route path={findingRouteRef.path} element={<FindingContent />} />
    </Routes>
  );
}
