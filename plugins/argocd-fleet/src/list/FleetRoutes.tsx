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
import { NotFoundContent } from './NotFoundContent';

/** Routes of the page: the list, one ApplicationSet, and any other path. */
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
      <Route path="*" element={<NotFoundContent />} />
    </Routes>
  );
}
