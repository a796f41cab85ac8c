import { createApp } from '@backstage/app-defaults';
import { AppRouter, FlatRoutes } from '@backstage/core-app-api';
import { createApiFactory, fetchApiRef } from '@backstage/core-plugin-api';
import { renderInTestApp } from '@backstage/frontend-test-utils';
import {
  CatalogEntityPage,
  CatalogIndexPage,
  catalogPlugin,
  EntityLayout,
  EntitySwitch,
} from '@backstage/plugin-catalog';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import {
  ScaffolderFieldExtensions,
  type FieldExtensionOptions,
  useCustomFieldExtensions,
} from '@backstage/plugin-scaffolder-react';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route } from 'react-router-dom';
import {
  ArgocdFleetPage,
  argocdFleetPlugin,
  ArgocdFleetApplicationSetPicker,
  ArgocdFleetPlacementChangePicker,
  ArgocdFleetTargetPicker,
  EntityArgocdFleetCard,
  EntityArgocdFleetContent,
  isArgocdFleetAvailable,
} from './legacy';
import { GUESTBOOK } from './__testUtils__/entity';
import {
  createFakeBackend,
  failure,
  ok,
  serveSets,
  type Answer,
} from './__testUtils__/fakeBackend';
import {
  applicationSet,
  entityFleet,
  guestbook,
  HUB,
} from './__testUtils__/fixtures';

const entityPage = (
  <EntityLayout>
    <EntityLayout.Route path="/" title="Overview">
      <EntitySwitch>
        <EntitySwitch.Case if={isArgocdFleetAvailable}>
          <EntityArgocdFleetCard />
        </EntitySwitch.Case>
      </EntitySwitch>
    </EntityLayout.Route>
    <EntityLayout.Route path="/fleet" title="Fleet">
      <EntityArgocdFleetContent />
    </EntityLayout.Route>
  </EntityLayout>
);

/** A complete classic app; only HTTP is faked. */
function renderApp(url: string, answer: Answer) {
  const backend = createFakeBackend(answer);
  serveSets(backend, [guestbook()]);
  window.history.pushState({}, '', url);
  const app = createApp({
    plugins: [catalogPlugin, argocdFleetPlugin],
    apis: [
      createApiFactory(fetchApiRef, { fetch: backend.fetch }),
      createApiFactory(
        catalogApiRef,
        catalogApiMock({ entities: [GUESTBOOK] }),
      ),
    ],
    configLoader: async () => [
      {
        context: 'test',
        data: {
          app: { baseUrl: 'http://localhost', title: 'Test' },
          backend: { baseUrl: 'http://localhost:7007' },
        },
      },
    ],
  });
  const App = app.createRoot(
    <AppRouter>
      <FlatRoutes>
        <Route path="/catalog" element={<CatalogIndexPage />} />
        <Route
          path="/catalog/:namespace/:kind/:name"
          element={<CatalogEntityPage />}
        >
          {entityPage}
        </Route>
        <Route path="/argocd-fleet" element={<ArgocdFleetPage />} />
      </FlatRoutes>
    </AppRouter>,
  );
  return render(<App />);
}

describe('in a classic app', () => {
  it('has the page', async () => {
    renderApp(
      '/argocd-fleet',
      ok({ items: [applicationSet(guestbook())], hubs: [HUB] }),
    );
    expect(
      await screen.findByRole('heading', { name: 'Fleet' }),
    ).toBeInTheDocument();
    expect(
      await screen.findByRole('link', {
        name: 'guestbook-allclusters-app-set',
      }),
    ).toHaveAttribute(
      'href',
      '/argocd-fleet/hub/openshift-gitops/guestbook-allclusters-app-set',
    );
  });

  it('titles the page of one set', async () => {
    renderApp(
      '/argocd-fleet/hub/openshift-gitops/guestbook-allclusters-app-set',
      ok(guestbook()),
    );
    expect(
      await screen.findByRole('heading', {
        name: 'guestbook-allclusters-app-set',
      }),
    ).toBeInTheDocument();
    await waitFor(() =>
      expect(document.title).toBe(
        'guestbook-allclusters-app-set | Fleet | Test',
      ),
    );
  });

  it('has the card, with a link to the tab', async () => {
    renderApp(
      '/catalog/default/component/guestbook',
      ok(entityFleet([guestbook()])),
    );
    await userEvent.click(
      await screen.findByRole('link', { name: /Open Fleet/ }),
    );
    expect(
      await screen.findByRole('button', { name: 'cluster1: show details' }),
    ).toBeInTheDocument();
  });

  it('has the form field of templates, with its validation', async () => {
    const fields: FieldExtensionOptions[] = [];
    function Fields() {
      fields.push(
        ...useCustomFieldExtensions(
          <ScaffolderFieldExtensions>
            <ArgocdFleetTargetPicker />
            <ArgocdFleetApplicationSetPicker />
            <ArgocdFleetPlacementChangePicker />
          </ScaffolderFieldExtensions>,
        ),
      );
      return null;
    }
    renderInTestApp(<Fields />);
    await waitFor(() => expect(fields).not.toEqual([]));
    const [{ name, validation }, second, third] = fields;
    expect(name).toBe('ArgocdFleetTargetPicker');
    expect(second.name).toBe('ArgocdFleetApplicationSetPicker');
    expect(third.name).toBe('ArgocdFleetPlacementChangePicker');

    const backend = createFakeBackend(
      failure(404, 'NotFoundError', 'There is no hub "x".'),
    );
    const errors: string[] = [];
    await validation?.(
      { hub: 'x', namespace: 'y', clusterSets: ['z'] },
      { addError: (message: string) => errors.push(message) } as never,
      {
        apiHolder: { get: () => backend.api as never },
        formData: {},
        schema: {},
      },
    );
    expect(errors).toEqual(['There is no hub "x".']);
  });
});
