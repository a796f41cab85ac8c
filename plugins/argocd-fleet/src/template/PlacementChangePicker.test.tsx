import { renderInTestApp } from '@backstage/frontend-test-utils';
import { Form } from '@backstage/plugin-scaffolder-react/alpha';
import validator from '@rjsf/validator-ajv8';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PlacementInUse } from 'backstage-plugin-argocd-fleet-common';
import { axe } from 'jest-axe';
import { useState } from 'react';
import { argocdFleetApiRef } from '../api';
import {
  createFakeBackend,
  failure,
  type Answer,
} from '../__testUtils__/fakeBackend';
import { guestbook } from '../__testUtils__/fixtures';
import { PlacementChangePicker } from './PlacementChangePicker';
import { PLACEMENT_CHANGE_FIELD, type PlacementChangeValue } from './target';
import { validatePlacementChange } from './validatePlacementChange';

// It places the lists of options, by the styles of all elements around them: jsdom has no layout.
jest.mock(
  'popper.js',
  () =>
    class {
      destroy() {}
      update() {}
    },
);

const SET = 'hub:argocd/shop';
const names = (...list: string[]) => ({ count: list.length, names: list });

const NOW: PlacementInUse = {
  placement: { hub: 'hub', namespace: 'argocd', name: 'shop' },
  selection: {
    clusterSets: ['shops'],
    matchLabels: { region: 'eu' },
    owner: 'group:default/retail',
  },
};

/** An answer about another selection. */
function changing(
  joining: object,
  leaving: object,
  selected = 2,
): PlacementInUse {
  return {
    ...NOW,
    change: {
      preview: { selected, notSelected: [], notSelectedCount: 0 },
      ...{ joining, leaving },
      resources: names('Deployment web', 'Service web'),
    } as object as PlacementInUse['change'],
  };
}

const ok = (body: unknown): Answer => ({ status: 200, body });

/** Of one identity: with others, React would make the field anew. */
const FIELDS = { [PLACEMENT_CHANGE_FIELD]: PlacementChangePicker as never };

/** A backend that gives this answer about the present selection, and about another one. */
function backendWith(answer: Answer) {
  const backend = createFakeBackend(
    ok({ items: [guestbook()], hubs: [], findings: [] }),
  );
  backend.answer(
    ok({ items: [], hubs: [] }),
    '/api/argocd-fleet/placement-options',
  );
  backend.answer(answer, /\/placement$/);
  return backend;
}

function renderField(
  backend: ReturnType<typeof backendWith>,
  initial: PlacementChangeValue = { applicationSet: SET },
) {
  let value = initial;
  function TestForm() {
    const [data, setData] = useState<{ target: PlacementChangeValue }>({
      target: initial,
    });
    value = data.target;
    return (
      <Form
        validator={validator}
        fields={FIELDS}
        schema={{
          type: 'object',
          properties: {
            target: {
              type: 'object',
              properties: {
                applicationSet: { type: 'string' },
                clusterSets: { type: 'array', items: { type: 'string' } },
                clusterLabels: { type: 'array', items: { type: 'string' } },
              },
            },
          },
        }}
        uiSchema={{ target: { 'ui:field': PLACEMENT_CHANGE_FIELD } }}
        formData={data}
        onChange={({ formData }) => setData(formData)}
        showErrorList={false}
      />
    );
  }
  const { container } = renderInTestApp(<TestForm />, {
    apis: [[argocdFleetApiRef, backend.api]],
  });
  return { container, value: () => value };
}

const panel = () => screen.getByRole('status');

describe('the form field for where an ApplicationSet runs', () => {
  it('starts with what is selected now', async () => {
    const { value, container } = renderField(
      backendWith(ok(changing(names(), names()))),
    );
    await waitFor(() =>
      expect(value()).toMatchObject({
        applicationSet: SET,
        clusterSets: ['shops'],
        clusterLabels: ['region=eu'],
      }),
    );
    await waitFor(() =>
      expect(panel()).toHaveTextContent('it stays on the same clusters'),
    );
    expect(value()).not.toHaveProperty('selected');
    expect((await axe(container)).violations).toEqual([]);
  });

  it('keeps a choice that is empty empty', async () => {
    const { value } = renderField(
      backendWith(
        ok({
          ...changing(names(), names()),
          selection: { matchLabels: { region: 'eu' } },
        }),
      ),
    );
    const labels = await screen.findByLabelText(/^Cluster labels/);
    await waitFor(() => expect(value().clusterLabels).toEqual(['region=eu']));
    await userEvent.type(labels, '{Backspace}');
    await waitFor(() => expect(panel()).toHaveTextContent('None. Choose'));
    expect(value().clusterLabels).toEqual([]);
  });

  it('ticks all clusters where nothing is chosen now', async () => {
    const { value } = renderField(
      backendWith(ok({ ...changing(names(), names()), selection: {} })),
    );
    await waitFor(() => expect(value().allClusters).toBe(true));
  });

  it('says which clusters come and go, what runs there, and writes it for the review', async () => {
    const { value } = renderField(
      backendWith(
        ok(changing({ count: 12, names: ['eu1', 'eu2'] }, names('as1', 'as2'))),
      ),
      { applicationSet: SET, clusterLabels: ['region=eu'] },
    );
    await waitFor(() =>
      expect(panel()).toHaveTextContent(
        'What changesComes to 12 clusters eu1, eu2 and 10 moreLeaves 2 clusters as1, as2What runs on each: Deployment web, Service web.',
      ),
    );
    expect(value()).toMatchObject({
      clusterLabels: ['region=eu'],
      selected:
        'Comes to 12 clusters: eu1, eu2 and 10 more. Leaves 2 clusters: as1, as2',
    });
  });

  it('says that a pull request makes the change where a repository keeps the Placement', async () => {
    renderField(
      backendWith(ok({ ...changing(names('eu1'), names()), keptInGit: true })),
      { applicationSet: SET, clusterLabels: ['region=eu'] },
    );
    await waitFor(() =>
      expect(panel()).toHaveTextContent(
        'Comes to 1 cluster eu1Its repository keeps the Placement: the run opens a pull request',
      ),
    );
  });

  it('says where the hub chooses', async () => {
    renderField(backendWith(ok(changing({ count: 1, names: [] }, names()))), {
      applicationSet: SET,
      numberOfClusters: 3,
    });
    await waitFor(() =>
      expect(panel()).toHaveTextContent('Comes to 1 cluster the hub chooses'),
    );
  });

  it('says why it cannot be changed, and lets nobody try', async () => {
    const fixed = 'Its Placement shop is kept in Git';
    renderField(backendWith(ok({ ...NOW, fixed })));
    await waitFor(() => expect(panel()).toHaveTextContent(fixed));
    expect(screen.getByLabelText(/^Number/)).toBeDisabled();
    expect(screen.getByLabelText(/^ApplicationSet/)).toBeEnabled();
  });

  it.each([
    [{}, 'Choose an ApplicationSet'],
    [{ applicationSet: 'shop' }, 'hub:namespace/name'],
  ])('says what it waits for with %j', async (initial, text) => {
    renderField(backendWith(ok(NOW)), initial);
    await waitFor(() => expect(panel()).toHaveTextContent(text));
  });

  it('says what the API says', async () => {
    renderField(
      backendWith(failure(404, 'NotFoundError', 'There is no ApplicationSet')),
    );
    await waitFor(() =>
      expect(panel()).toHaveTextContent('There is no ApplicationSet'),
    );
  });

  it.each<[string, Answer, PlacementChangeValue, string[]]>([
    ['a change', ok(changing(names('a'), names())), {}, []],
    [
      'one that the portal cannot make',
      ok({ ...NOW, fixed: 'kept in Git' }),
      {},
      ['kept in Git'],
    ],
    [
      'one to no cluster',
      ok(changing(names(), names('a'), 0)),
      {},
      [expect.stringMatching(/would run nowhere/) as never],
    ],
    [
      'one that the API refuses',
      failure(400, 'InputError', 'clusterSets: not allowed'),
      {},
      ['clusterSets: not allowed'],
    ],
    ['one that the API cannot answer', failure(503, 'X', 'away'), {}, []],
    [
      'no choice',
      ok(NOW),
      { clusterLabels: [] },
      [expect.stringMatching(/No clusters are chosen/) as never],
    ],
  ])('validates %s', async (_, answer, more, expected) => {
    const backend = backendWith(answer);
    const errors: string[] = [];
    await validatePlacementChange(
      { applicationSet: SET, clusterLabels: ['region=eu'], ...more },
      { addError: message => errors.push(message) },
      { apiHolder: { get: () => backend.api as never } },
    );
    expect(errors).toEqual(expected);
  });
});
