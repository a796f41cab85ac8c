import { fetchApiRef } from '@backstage/core-plugin-api';
import {
  createExtensionTester,
  renderTestApp,
} from '@backstage/frontend-test-utils';
import {
  EntityCardBlueprint,
  EntityContentBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { FormFieldBlueprint } from '@backstage/plugin-scaffolder-react/alpha';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fleetPlugin from './index';
import { GUESTBOOK, UNLINKED } from './__testUtils__/entity';
import {
  createFakeBackend,
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

/** A complete app on the new frontend system, with the catalog's entity page; only HTTP is faked. */
function renderApp(url: string, answer: Answer) {
  const backend = createFakeBackend(answer);
  serveSets(backend, [guestbook()]);
  return renderTestApp({
    features: [catalogPlugin, fleetPlugin],
    initialRouteEntries: [url],
    apis: [
      [fetchApiRef, { fetch: backend.fetch }],
      catalogApiMock({ entities: [GUESTBOOK, UNLINKED] }),
    ],
  });
}

describe('in an app on the new frontend system', () => {
  it('adds the page and its navigation item', async () => {
    renderApp(
      '/argocd-fleet',
      ok({ items: [applicationSet(guestbook())], hubs: [HUB] }),
    );
    expect(
      await screen.findByRole('grid', { name: 'ApplicationSets' }),
    ).toBeInTheDocument();
    expect(document.title).toMatch(/^Fleet \| /);
    expect(
      screen
        .getAllByRole('link', { name: /Fleet/ })
        .map(link => link.getAttribute('href')),
    ).toContain('/argocd-fleet');
    expect(
      within(screen.getByRole('main')).getByRole('grid', {
        name: 'ApplicationSets',
      }),
    ).toBeInTheDocument();
  });

  it('adds the tab to components', async () => {
    renderApp(
      '/catalog/default/component/guestbook/fleet',
      ok(entityFleet([guestbook()])),
    );
    expect(
      await screen.findByRole('button', { name: 'cluster1: show details' }),
    ).toBeInTheDocument();
  });

  it('adds the card to linked components, with a link to the tab', async () => {
    renderApp(
      '/catalog/default/component/guestbook',
      ok(entityFleet([guestbook()])),
    );
    const link = await screen.findByRole('link', { name: /Open Fleet/ });
    expect(link).toHaveAttribute(
      'href',
      '/catalog/default/component/guestbook/fleet',
    );
    await userEvent.click(link);
    expect(
      await screen.findByRole('button', { name: 'cluster1: show details' }),
    ).toBeInTheDocument();
  });
});

it('adds the form field of templates', async () => {
  const load = createExtensionTester(
    fleetPlugin.getExtension('scaffolder-form-field:argocd-fleet/target'),
  ).get(FormFieldBlueprint.dataRefs.formFieldLoader);
  expect(await load()).toMatchObject({ name: 'ArgocdFleetTargetPicker' });
});

it('adds the form field of an ApplicationSet', async () => {
  const load = createExtensionTester(
    fleetPlugin.getExtension(
      'scaffolder-form-field:argocd-fleet/application-set',
    ),
  ).get(FormFieldBlueprint.dataRefs.formFieldLoader);
  expect(await load()).toMatchObject({
    name: 'ArgocdFleetApplicationSetPicker',
  });
});

it('adds the form field of where an ApplicationSet runs', async () => {
  const load = createExtensionTester(
    fleetPlugin.getExtension(
      'scaffolder-form-field:argocd-fleet/placement-change',
    ),
  ).get(FormFieldBlueprint.dataRefs.formFieldLoader);
  expect(await load()).toMatchObject({
    name: 'ArgocdFleetPlacementChangePicker',
  });
});

describe('entity filters', () => {
  const RESOURCE = {
    ...UNLINKED,
    kind: 'Resource',
    spec: { type: 'argocd-applicationset' },
  };
  const API = { ...UNLINKED, kind: 'API' };

  it('show the tab on every component and on ApplicationSets', () => {
    const matches = createExtensionTester(
      fleetPlugin.getExtension('entity-content:argocd-fleet/fleet'),
    ).get(EntityContentBlueprint.dataRefs.filterFunction);
    expect(
      [GUESTBOOK, UNLINKED, RESOURCE, API].map(entity => matches?.(entity)),
    ).toEqual([true, true, true, false]);
  });

  it('show the card on linked entities', () => {
    const matches = createExtensionTester(
      fleetPlugin.getExtension('entity-card:argocd-fleet/fleet'),
    ).get(EntityCardBlueprint.dataRefs.filterFunction);
    expect(
      [GUESTBOOK, UNLINKED, RESOURCE].map(entity => matches?.(entity)),
    ).toEqual([true, false, false]);
  });
});
