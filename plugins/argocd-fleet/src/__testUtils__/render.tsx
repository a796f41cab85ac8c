import type { Entity } from '@backstage/catalog-model';
import { renderInTestApp } from '@backstage/frontend-test-utils';
import {
  EntityProvider,
  entityRouteRef,
} from '@backstage/plugin-catalog-react';
import { useLocation, useNavigate } from 'react-router-dom';
import { argocdFleetApiRef } from '../api';
import { rootRouteRef } from '../routes';
import type { FakeBackend } from './fakeBackend';
import { GUESTBOOK } from './entity';

/** The browser's URL and back button, for tests of what is kept in the URL. */
function Browser() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <output aria-label="current URL">{`${pathname}${search}`}</output>
      <button type="button" onClick={() => navigate(-1)}>
        back
      </button>
    </>
  );
}

/** Renders an element of an entity page in a test app, on a fake backend. */
export function renderForEntity(
  element: JSX.Element,
  backend: FakeBackend,
  options: { readonly url?: string; readonly entity?: Entity } = {},
) {
  const { url = '/', entity = GUESTBOOK } = options;
  return renderInTestApp(
    <EntityProvider entity={entity}>
      <Browser />
      <main>{element}</main>
    </EntityProvider>,
    {
      apis: [[argocdFleetApiRef, backend.api]],
      initialRouteEntries: [url],
      mountedRoutes: {
        '/catalog/:namespace/:kind/:name': entityRouteRef,
        '/argocd-fleet': rootRouteRef,
      },
    },
  );
}
