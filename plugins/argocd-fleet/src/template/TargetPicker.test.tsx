import { renderInTestApp } from '@backstage/frontend-test-utils';
import { Form } from '@backstage/plugin-scaffolder-react/alpha';
import validator from '@rjsf/validator-ajv8';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PlacementPreview } from 'backstage-plugin-argocd-fleet-common';
import { axe } from 'jest-axe';
import { useState } from 'react';
import { argocdFleetApiRef } from '../api';
import {
  createFakeBackend,
  failure,
  NO_SUCH_PLUGIN,
  type Answer,
  type FakeBackend,
} from '../__testUtils__/fakeBackend';
import { TARGET_FIELD, type Target } from './target';
import { TargetPicker } from './TargetPicker';
import { validateTarget } from './validateTarget';

// It places the lists of options, by the styles of all elements around them: jsdom has no layout.
jest.mock(
  'popper.js',
  () =>
    class {
      destroy() {}
      update() {}
    },
);

const OPTIONS_PATH = '/api/argocd-fleet/placement-options';
const PREVIEW_PATH = /\/placement-previews\//;

/** What the portal may write in a namespace, with these AppProjects. */
function allowing(...projects: string[]) {
  return {
    projects,
    repositories: ['https://github.com/argoproj'],
    destinationNamespaces: ['*'],
  };
}

const EAST = {
  hub: 'east',
  namespaces: [
    {
      name: 'argocd',
      clusterSets: ['shops'],
      applicationSets: 3,
      ...allowing('shops'),
    },
  ],
  clusterSets: [
    { name: 'shops', clusters: 12 },
    { name: 'offices', clusters: 4 },
  ],
  labels: [
    {
      key: 'feature.example.com/addon',
      values: [{ value: 'on', clusters: 16 }],
      moreValues: 0,
    },
    {
      key: 'region',
      values: [
        { value: 'eu', clusters: 9 },
        { value: 'us', clusters: 7 },
      ],
      moreValues: 0,
    },
  ],
  claims: [
    {
      key: 'platform',
      values: [{ value: 'AWS', clusters: 5 }],
      moreValues: 0,
    },
  ],
  taints: [{ taint: 'dedicated=search', clusters: 2 }],
};
const WEST = {
  hub: 'west',
  namespaces: [
    {
      name: 'gitops',
      clusterSets: [],
      applicationSets: 1,
      ...allowing('one', 'two', 'team-*'),
    },
    { name: 'other', clusterSets: [], applicationSets: 0, ...allowing('one') },
  ],
  clusterSets: [],
  labels: [],
  claims: [],
  taints: [],
};

function preview(change: Partial<PlacementPreview> = {}): Answer {
  return {
    status: 200,
    body: {
      clusterSets: ['shops'],
      unboundSets: [],
      clusters: ['s1', 's2', 's3'],
      longestName: 3,
      matching: 12,
      selected: 12,
      tainted: 0,
      notSelected: [],
      notSelectedCount: 0,
      ...change,
    },
  };
}

function backendWith(hubs: readonly object[]): FakeBackend {
  const backend = createFakeBackend(failure(500, 'Error', 'not expected'));
  backend.answer(
    { status: 200, body: { items: hubs, hubs: [] } },
    OPTIONS_PATH,
  );
  backend.answer(preview(), PREVIEW_PATH);
  return backend;
}

/** Of one identity: with others, React would make the field anew. */
const FIELDS = { [TARGET_FIELD]: TargetPicker as never };

/** The field in the scaffolder's own form. */
async function renderField(
  backend: FakeBackend,
  options: {
    readonly initial?: Target;
    readonly schema?: object;
    /** The value `name` of the template. */
    readonly name?: string;
  } = {},
) {
  let value: Target = {};
  function TestForm() {
    const [data, setData] = useState<{ target: Target }>({
      target: options.initial ?? { allClusters: true },
    });
    value = data.target;
    return (
      <Form
        validator={validator}
        fields={FIELDS}
        schema={{
          type: 'object',
          properties: { target: { type: 'object', ...options.schema } },
        }}
        uiSchema={{ target: { 'ui:field': TARGET_FIELD } }}
        formData={data}
        formContext={{ formData: { name: options.name } }}
        onChange={({ formData }) => setData(formData)}
        liveValidate
        showErrorList={false}
      />
    );
  }
  const { container } = renderInTestApp(<TestForm />, {
    apis: [[argocdFleetApiRef, backend.api]],
  });
  await screen.findByLabelText(/^Hub/);
  return { container, target: () => value };
}

const status = () => screen.getByRole('status');

describe('the field for the clusters of an application', () => {
  it('chooses the only hub and its only namespace, and shows which clusters are selected', async () => {
    const { target, container } = await renderField(backendWith([EAST]));
    await waitFor(() => expect(status()).toHaveTextContent('12 clusters'));
    expect(status()).toHaveTextContent('s1, s2, s3 and 9 more');
    expect(target()).toMatchObject({
      hub: 'east',
      namespace: 'argocd',
      project: 'shops',
    });
    expect((await axe(container)).violations).toEqual([]);
  });

  it('offers the AppProjects that the namespace allows by name, and chooses the only one', async () => {
    const { target } = await renderField(backendWith([EAST, WEST]), {
      initial: { hub: 'west', namespace: 'gitops' },
    });
    await userEvent.click(await screen.findByLabelText(/^AppProject/));
    const offered = await screen.findAllByRole('option');
    expect(offered.map(({ textContent }) => textContent)).toEqual([
      'one',
      'two',
    ]);
    expect(target().project).toBeUndefined();
    await userEvent.click(offered[1]);
    expect(target().project).toBe('two');
    const namespace = screen.getByLabelText(/^Namespace/);
    await userEvent.clear(namespace);
    await userEvent.type(namespace, 'other');
    expect(target()).toMatchObject({ namespace: 'other', project: 'one' });
  });

  it.each([
    ['one of several', 'one', 'one'],
    ['one of a pattern', 'team-a', 'team-a'],
    ['no longer one that is not allowed', 'proj-a', undefined],
  ])('has %s in another namespace', async (_, chosen, expected) => {
    const { target } = await renderField(backendWith([EAST, WEST]), {
      initial: { hub: 'west', namespace: 'other', project: chosen },
    });
    const namespace = screen.getByLabelText(/^Namespace/);
    await userEvent.click(namespace);
    await screen.findAllByRole('option');
    await userEvent.clear(namespace);
    await userEvent.type(namespace, 'git');
    expect(target()).toMatchObject({ namespace: 'git', project: chosen });
    await userEvent.type(namespace, 'ops');
    expect(target().namespace).toBe('gitops');
    expect(target().project).toBe(expected);
  });

  it('says which configuration allows something where nothing may be written', async () => {
    const emptyReason =
      'The portal may write nothing on the hub "east". An administrator of this portal can allow it with argocdFleet.hubs[0].writes.';
    await renderField(backendWith([{ ...EAST, namespaces: [], emptyReason }]));
    await waitFor(() => expect(status()).toHaveTextContent(emptyReason));
  });

  it('keeps values of before', async () => {
    const initial = { hub: 'west', namespace: 'mine', clusterSets: ['a'] };
    const { target } = await renderField(backendWith([EAST]), { initial });
    await waitFor(() => expect(status()).toHaveTextContent('12 clusters'));
    // Also no key without a value, of which the review would have a row.
    expect(target()).toStrictEqual({
      ...initial,
      selected: '12 clusters: s1, s2, s3 and 9 more',
    });
    await userEvent.type(screen.getByLabelText(/^Number/), '2');
    expect(target()).not.toHaveProperty('allClusters');
  });

  it('selects nothing until clusters are chosen, and all of them on purpose only', async () => {
    const { target } = await renderField(backendWith([EAST]), { initial: {} });
    await waitFor(() => expect(status()).toHaveTextContent('None. Choose'));
    expect(target().selected).toBeUndefined();
    const all = screen.getByRole('checkbox', { name: /^All clusters/ });
    await userEvent.click(all);
    await waitFor(() => expect(status()).toHaveTextContent('12 clusters'));
    expect(target()).toMatchObject({
      allClusters: true,
      selected: '12 clusters: s1, s2, s3 and 9 more',
    });
    // It would mean nothing beside a number, and does not come back without one.
    const number = screen.getByLabelText(/^Number/);
    await userEvent.type(number, '2');
    expect(all).toBeDisabled();
    await userEvent.clear(number);
    expect(all).not.toBeChecked();
    expect(status()).toHaveTextContent('None. Choose');
    expect(target().selected).toBeUndefined();
  });

  it('offers the hubs, and starts anew on another one', async () => {
    const { target } = await renderField(backendWith([EAST, WEST]), {
      initial: { hub: 'east', namespace: 'argocd', clusterSets: ['shops'] },
    });
    await screen.findByText(/12 clusters/);
    const hub = screen.getByLabelText(/^Hub/);
    await userEvent.click(hub);
    await userEvent.click(await screen.findByRole('option', { name: 'west' }));
    expect(target()).toEqual({
      hub: 'west',
      clusterSets: [],
      clusterLabels: [],
    });
    expect(status()).toHaveTextContent('Choose a hub and a namespace');
    await userEvent.click(screen.getByLabelText(/^Namespace/));
    expect(
      (await screen.findAllByRole('option')).map(it => it.textContent),
    ).toEqual(['gitops1 ApplicationSet', 'other0 ApplicationSets']);
  });

  it('offers the sets that are bound to the namespace, and the labels with people’s own first', async () => {
    const { target } = await renderField(backendWith([EAST]));
    await screen.findByText(/12 clusters/);
    await userEvent.click(screen.getByLabelText(/^Cluster sets/));
    const sets = await screen.findByRole('listbox');
    expect(within(sets).getAllByRole('option')).toHaveLength(1);
    await userEvent.click(within(sets).getByText('shops'));
    await userEvent.click(screen.getByLabelText(/^Cluster labels/));
    const labels = within(await screen.findByRole('listbox'));
    expect(
      labels.getAllByRole('option').map(option => option.textContent),
    ).toEqual([
      'region=eu9 clusters',
      'region=us7 clusters',
      'feature.example.com/addon=on16 clusters',
    ]);
    await userEvent.click(labels.getByText('region=us'));
    expect(target()).toMatchObject({
      clusterSets: ['shops'],
      clusterLabels: ['region=us'],
    });
  });

  it('asks for the preview of what is chosen', async () => {
    const queries: string[] = [];
    const backend = backendWith([EAST]);
    const original = backend.api.previewPlacement;
    const api = {
      ...backend.api,
      previewPlacement: (
        ...args: Parameters<typeof original>
      ): ReturnType<typeof original> => {
        queries.push(JSON.stringify(args.slice(0, 2)));
        return original(...args);
      },
    };
    await renderField(
      { ...backend, api },
      {
        initial: {
          hub: 'east',
          namespace: 'argocd',
          clusterSets: ['shops'],
          clusterLabels: ['region=eu'],
          clusterClaims: ['platform=AWS'],
          tolerations: ['gpu'],
          numberOfClusters: 2,
        },
      },
    );
    await screen.findByText(/12 clusters/);
    expect(queries).toContain(
      JSON.stringify([
        {
          hub: 'east',
          namespace: 'argocd',
          selection: {
            clusterSets: ['shops'],
            matchLabels: { region: 'eu' },
            matchClaims: { platform: 'AWS' },
            tolerations: ['gpu'],
            numberOfClusters: 2,
          },
        },
        {
          clusterSets: ['shops'],
          matchLabels: { region: 'eu' },
          matchClaims: { platform: 'AWS' },
          tolerations: ['gpu'],
          numberOfClusters: 2,
        },
      ]),
    );
  });

  it('offers claims and taints when they are asked for', async () => {
    await renderField(backendWith([EAST]));
    const summary = await screen.findByText('Claims and taints of clusters');
    const details = summary.parentElement!;
    expect(details).not.toHaveAttribute('open');
    await userEvent.click(summary);
    expect(details).toHaveAttribute('open');
    await userEvent.click(screen.getByLabelText('Claims'));
    await userEvent.click(await screen.findByText('platform=AWS'));
    await userEvent.click(screen.getByLabelText('Taints that are tolerated'));
    await userEvent.click(await screen.findByText('dedicated=search'));
    for (const name of ['platform=AWS', 'dedicated=search']) {
      expect(within(details).getByRole('button', { name })).toBeVisible();
    }
  });

  it('shows the claims that are chosen already', async () => {
    await renderField(backendWith([EAST]), {
      initial: { hub: 'east', namespace: 'argocd', clusterClaims: ['a=b'] },
    });
    const summary = await screen.findByText('Claims and taints of clusters');
    expect(summary.parentElement).toHaveAttribute('open');
  });

  it.each<[Partial<PlacementPreview>, string | RegExp]>([
    [{ matching: 0, selected: 0, clusters: [] }, 'No cluster matches'],
    [
      { matching: 0, selected: 0, clusters: [], clusterSets: [] },
      'none of these cluster sets is bound',
    ],
    [{ selected: 2 }, '2 of 12 clusters The hub chooses which: s1, s2, s3'],
    [{ unboundSets: ['a', 'b'] }, 'not on the hub: a, b'],
    [{ tainted: 2 }, '2 more match but have taints'],
  ])('shows %j', async (change, expected) => {
    const backend = backendWith([EAST]);
    backend.answer(preview(change), PREVIEW_PATH);
    await renderField(backend);
    await waitFor(() => expect(status()).toHaveTextContent(expected));
  });

  it('says of each cluster that is not selected why', async () => {
    const backend = backendWith([EAST]);
    backend.answer(
      preview({
        notSelected: [
          { cluster: 'a', reason: 'taint', actual: 'maintenance' },
          { cluster: 'b', reason: 'label', wanted: 'site=x', actual: 'y' },
          { cluster: 'c', reason: 'label', wanted: 'site=x' },
          { cluster: 'g', reason: 'claim', wanted: 'os=a', actual: 'b' },
          { cluster: 'h', reason: 'claim', wanted: 'os=a' },
          { cluster: 'd', reason: 'clusterSet', actual: 'edge' },
          { cluster: 'e', reason: 'clusterSet' },
          { cluster: 'f', reason: 'deleting' },
        ],
        notSelectedCount: 11,
      }),
      PREVIEW_PATH,
    );
    await renderField(backend);
    const summary = await screen.findByText(
      'Not selected: 11 clusters, and why',
    );
    expect(
      Array.from(
        summary.parentElement!.querySelectorAll('li'),
        item => item.textContent,
      ),
    ).toEqual([
      'a has the taint maintenance, which keeps new applications away',
      'b has site=y, not site=x',
      'c has no label site=x',
      'g reports os=b, not os=a',
      'h does not report os=a',
      'd belongs to edge',
      'e is in no cluster set',
      'f is being deleted',
      'and 3 more',
    ]);
    // It is not read aloud with each change of the form.
    expect(status()).not.toContainElement(summary);
  });

  it.each([
    ['a'.repeat(40), 'up to 65 characters'],
    ['a'.repeat(38), undefined],
    [undefined, undefined],
  ])('warns of long names of Applications of %s', async (name, expected) => {
    const backend = backendWith([EAST]);
    backend.answer(preview({ longestName: 24 }), PREVIEW_PATH);
    await renderField(backend, { name });
    await waitFor(() => expect(status()).toHaveTextContent('12 clusters'));
    expect(/up to \d+ characters/.exec(status().textContent!)?.[0]).toBe(
      expected,
    );
  });

  it.each<[string, Answer | 'networkError', RegExp]>([
    ['is away', 'networkError', /Failed to fetch\. You can type the names/],
    ['is not installed', NO_SUCH_PLUGIN, /You can type the names/],
    [
      'denies',
      failure(403, 'NotAllowedError', 'You lack the permission.'),
      /You lack the permission\. You can type/,
    ],
  ])('takes typed values while the API %s', async (_, answer, expected) => {
    const { target } = await renderField(createFakeBackend(answer));
    await waitFor(() => expect(status()).toHaveTextContent(expected));
    await userEvent.type(screen.getByLabelText(/^Hub/), 'n');
    await userEvent.type(screen.getByLabelText(/^Namespace/), 'a');
    await userEvent.type(screen.getByLabelText(/^Cluster sets/), 'x{Enter}y');
    await userEvent.type(
      screen.getByLabelText(/^Cluster labels/),
      'a=b{Enter}a=b{Enter}',
    );
    await userEvent.type(screen.getByLabelText(/^Number/), '3');
    expect(target()).toEqual({
      hub: 'n',
      namespace: 'a',
      clusterSets: ['x', 'y'],
      clusterLabels: ['a=b'],
      numberOfClusters: 3,
    });
  });

  it('shows what the API refuses, and how to go on only where it cannot answer', async () => {
    const backend = backendWith([EAST]);
    backend.answer(
      failure(404, 'NotFoundError', 'There is no hub "x".'),
      PREVIEW_PATH,
    );
    await renderField(backend, {
      initial: { hub: 'x', namespace: 'a', allClusters: true },
    });
    await waitFor(() =>
      expect(status()).toHaveTextContent(/There is no hub "x"\.$/),
    );
    backend.answer(
      failure(503, 'ServiceUnavailableError', 'The sets are not listed'),
      PREVIEW_PATH,
    );
    await userEvent.type(screen.getByLabelText(/^Namespace/), 'b');
    await waitFor(() =>
      expect(status()).toHaveTextContent(
        'The sets are not listed. You can type the names; the hub checks them.',
      ),
    );
  });

  it('shows at each value what the schema says of it', async () => {
    await renderField(createFakeBackend('networkError'), {
      initial: { namespace: 'A', clusterLabels: ['ok=1', 'region'] },
      schema: {
        properties: {
          namespace: { type: 'string', pattern: '^a$' },
          clusterLabels: {
            type: 'array',
            items: { type: 'string', pattern: '=' },
          },
        },
      },
    });
    await userEvent.type(screen.getByLabelText(/^Number/), '3');
    for (const label of [/^Namespace/, /^Cluster labels/]) {
      const input = screen.getByLabelText(label);
      expect(input).toBeInvalid();
      expect(input).toHaveAccessibleDescription(/must match pattern/);
    }
    expect(screen.getByLabelText(/^Number/)).toBeValid();
  });
});

describe('the validation of the field', () => {
  const TARGET: Target = {
    hub: 'east',
    namespace: 'argocd',
    clusterSets: ['shops'],
  };

  async function errorsOf(
    answer: Answer | 'networkError',
    target: Target | undefined = TARGET,
    formData: object = {},
  ): Promise<string[]> {
    const errors: string[] = [];
    const { api, answer: answerTo } = createFakeBackend(answer);
    answerTo({ status: 200, body: { items: [EAST], hubs: [] } }, OPTIONS_PATH);
    await validateTarget(
      target,
      { addError: message => errors.push(message) },
      { apiHolder: { get: () => api as never }, formData },
    );
    return errors;
  }

  it('refuses to choose no cluster at all', async () => {
    const { hub, namespace } = TARGET;
    const nothing = { hub, namespace, clusterSets: [], clusterLabels: [] };
    expect(await errorsOf(preview(), nothing)).toEqual([
      expect.stringMatching(/^No clusters are chosen: choose/),
    ]);
    const all = { ...nothing, allClusters: true };
    expect(await errorsOf(preview(), all)).toEqual([]);
  });

  it('refuses a repository that the configuration does not allow there, and says which it does', async () => {
    const from = (repoURL: string) =>
      errorsOf(preview(), TARGET, { name: 'shop', repoURL });
    expect(await from('https://github.com/argoproj/apps.git')).toEqual([]);
    expect(await from('https://github.com/other/apps.git')).toEqual([
      'Applications in argocd may not come from the repository https://github.com/other/apps.git. Go back and choose one of, or below: https://github.com/argoproj',
    ]);
  });

  it('accepts a target that selects clusters', async () => {
    expect(await errorsOf(preview())).toEqual([]);
  });

  it.each<[string, Answer, RegExp]>([
    [
      'no cluster',
      preview({ matching: 0 }),
      /^No cluster of shops has these labels and claims, and no other taints/,
    ],
    [
      'no bound set',
      preview({ matching: 0, clusterSets: [] }),
      /bound to the namespace argocd/,
    ],
    ['a set too many', preview({ unboundSets: ['a'] }), /: a$/],
    [
      'an unknown hub',
      failure(404, 'NotFoundError', 'There is no hub "east".'),
      /^There is no hub "east".$/,
    ],
    ['bad input', failure(400, 'InputError', 'namespace: bad'), /: bad$/],
  ])('refuses %s', async (_, answer, expected) => {
    expect(await errorsOf(answer)).toEqual([expect.stringMatching(expected)]);
  });

  it.each<[string, Answer | 'networkError', Target]>([
    ['the API is away', 'networkError', TARGET],
    ['the API is not installed', NO_SUCH_PLUGIN, TARGET],
    [
      'the hub is starting',
      failure(503, 'ServiceUnavailableError', 'x'),
      TARGET,
    ],
    ['the caller may not read', failure(403, 'NotAllowedError', 'x'), TARGET],
    ['a value is missing', preview({ matching: 0 }), { hub: 'east' }],
    [
      'the schema refuses it',
      preview({ matching: 0 }),
      { ...TARGET, clusterLabels: ['region'] },
    ],
  ])('says nothing where %s', async (_, answer, target) => {
    expect(await errorsOf(answer, target)).toEqual([]);
  });
});
