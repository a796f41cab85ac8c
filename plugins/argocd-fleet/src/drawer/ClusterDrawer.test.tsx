import type {
  ClusterApplication,
  RollingSyncPosition,
  Finding,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { screen, waitFor, within } from '@testing-library/react';
import { axe, toHaveNoViolations } from 'jest-axe';
import {
  createFakeBackend,
  failure,
  ok,
  type FakeBackend,
} from '../__testUtils__/fakeBackend';
import {
  applicationRow,
  clusterApplication,
  COMMIT,
  FORBIDDEN,
  forbiddenApplication,
  minutesAgo,
} from '../__testUtils__/fixtures';
import { renderForEntity } from '../__testUtils__/render';
import { wordsOf } from '../__testUtils__/wordsOf';
import { rowKeyOf } from '../rowIdentity';
import { ClusterDrawer } from './ClusterDrawer';

expect.extend(toHaveNoViolations);

const REPOSITORY: Source = {
  repoURL: 'https://github.com/example/shop.git',
  path: 'deploy',
};
const VALUES: Source = { repoURL: 'https://gitlab.com/example/values.git' };
const OTHER = '9f8e7d6c5b4a39281706f5e4d3c2b1a098765432';

type Overrides = NonNullable<Parameters<typeof clusterApplication>[1]>;

const SET = {
  hub: 'hub',
  namespace: 'openshift-gitops',
  name: 'guestbook-allclusters-app-set',
};
const API = '/api/argocd-fleet/applications/hub/openshift-gitops';

/** Renders the drawer of an Application, on a backend that serves these details at the Application's path only. */
async function renderDrawer(
  application: ClusterApplication,
  sources: readonly Source[] = [REPOSITORY],
  details: Parameters<FakeBackend['answer']>[0] = ok(application),
) {
  const row = applicationRow(application);
  const backend = createFakeBackend('never');
  backend.answer(details, `${API}/${application.application.name}`);
  const rendered = renderForEntity(
    <ClusterDrawer
      openRow={rowKeyOf(row)}
      row={row}
      set={SET}
      sources={sources}
      onClose={() => {}}
    />,
    backend,
  );
  const drawer = await screen.findByRole('dialog', { name: 'edge' });
  return { ...rendered, backend, drawer };
}

/** Renders the drawer, and waits for its details. */
async function open(overrides: Overrides, sources?: readonly Source[]) {
  const application = clusterApplication('edge', overrides);
  const rendered = await renderDrawer(application, sources);
  await within(rendered.drawer).findByRole('list', { name: 'Delivery path' });
  await waitFor(() =>
    expect(
      within(rendered.drawer).queryByRole('status', { busy: true }),
    ).toBeNull(),
  );
  return rendered;
}

const headings = (drawer: HTMLElement) =>
  within(drawer)
    .getAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent);

/** Made by each test: ages on the page are exact. */
const everything = (): Overrides => ({
  rollouts: [
    {
      namespace: 'shop',
      name: 'storefront',
      strategy: 'canary',
      phase: 'Paused',
      step: 1,
      steps: 6,
      weight: 20,
      message: 'CanaryPauseStep',
    },
  ],
  childApplications: [
    {
      namespace: 'argocd',
      name: 'storefront-cache',
      sync: 'OutOfSync',
      health: 'Degraded',
    },
  ],
  history: [
    { id: 12, revision: COMMIT, deployedAt: minutesAgo(12) },
    { id: 11, revision: OTHER, deployedAt: minutesAgo(2_000) },
  ],
  externalUrls: ['https://shop.example.com/'],
  operationMessage: 'successfully synced (all tasks run)',
  operationRetries: 2,
  resourcesOmitted: 7,
  resourceHealthHidden: true,
  sources: { resources: { from: 'search', completed: true } },
});

describe('the drawer of an Application', () => {
  it('renders no empty section', async () => {
    const { drawer } = await open({
      ...{ images: [], revision: undefined, running: undefined },
      phase: undefined,
    });
    expect(headings(drawer)).toEqual([
      expect.stringMatching(/^Resources/),
      'Timeline',
      'On hub “hub”',
    ]);
    expect(drawer).not.toHaveTextContent(
      /External URLs|From |Completed|retried/,
    );
  });

  it('has no accessibility violations with every section shown', async () => {
    const { baseElement } = await open(everything());
    expect(await axe(baseElement)).toHaveNoViolations();
  });

  it('shows the progress of each rollout', async () => {
    const { drawer } = await open({
      rollouts: [
        ...everything().rollouts!,
        {
          ...{ namespace: 'shop', name: 'cart', strategy: 'canary' },
          ...{ phase: 'Healthy', step: 4, steps: 4, weight: 100 },
        },
        {
          ...{ namespace: 'shop', name: 'search', strategy: 'blueGreen' },
          ...{ phase: 'Degraded', message: 'ProgressDeadlineExceeded' },
        },
        { namespace: 'shop', name: 'new' },
        { namespace: 'shop', name: 'odd', phase: 'Pondering' },
      ],
    });
    const [paused, done, failed, unseen, odd] = within(
      within(drawer).getByRole('list', { name: 'Rollouts' }),
    ).getAllByRole('listitem');
    expect(paused).toHaveTextContent(
      'storefrontcanaryweight 20 %Pausedstep 2 of 6CanaryPauseStep',
    );
    expect(within(paused).getByRole('progressbar')).toHaveAttribute(
      'aria-valuetext',
      'step 2 of 6',
    );
    expect(done).toHaveTextContent('cartcanaryHealthyall 4 steps done');
    expect(failed).toHaveTextContent(
      'searchblue-greenDegradedProgressDeadlineExceeded',
    );
    expect(within(failed).queryByRole('progressbar')).toBeNull();
    expect(unseen).toHaveTextContent('not reconciled by Argo Rollouts yet');
    expect(odd).toHaveTextContent('Pondering');
  });

  it('shows what is wrong with the cluster as a whole', async () => {
    const ending = (name: string): Finding => ({
      code: 'AFC-127',
      severity: 'info',
      title: 'ManifestWork on edge is being deleted',
      message: 'The Application is gone from the hub.',
      evidence: `${name}-2fc44`,
      object: { kind: 'ApplicationSet', namespace: 'argocd', name },
    });
    const { drawer, baseElement } = await open({
      clusterFindings: [ending('shop'), ending('books')],
    });
    const section = within(drawer).getByRole('region', {
      name: 'Also on cluster edge',
    });
    expect(within(section).getAllByText(/^ManifestWork on edge/)).toHaveLength(
      2,
    );
    expect(section).toHaveTextContent('shop-2fc44');
    expect(section).toHaveTextContent('books-2fc44');
    expect(await axe(baseElement)).toHaveNoViolations();
  });

  it('does not tell a fault of the cluster twice that the Application has too', async () => {
    const fault: Finding = {
      code: 'AFC-233',
      severity: 'error',
      title: 'Argo CD’s repo server on edge does not answer',
      message: 'The application controller gets no answer.',
    };
    const { drawer } = await open({
      clusterFindings: [fault],
      steps: [
        {
          id: 'synced',
          state: 'failed',
          title: 'Not synced',
          finding: { ...fault, evidence: 'connection refused' },
        },
      ],
    });
    const section = within(drawer).getByRole('region', {
      name: 'Also on cluster edge',
    });
    expect(section).toHaveTextContent('it is one of the cluster');
    expect(within(drawer).getAllByText(fault.message)).toHaveLength(1);
  });

  it('shows child Applications', async () => {
    const { drawer } = await open(everything());
    const table = within(drawer).getByRole('table', {
      name: 'Child Applications',
    });
    expect(
      within(table).getByRole('row', {
        name: 'storefront-cache OutOfSync Degraded',
      }),
    ).toBeVisible();
  });

  it('shows the last syncs with their commits', async () => {
    const { drawer } = await open(everything());
    const table = within(drawer).getByRole('table', {
      name: 'Last successful syncs',
    });
    const [, latest, earlier] = within(table).getAllByRole('row');
    expect(wordsOf(latest)).toMatch(/^12a1b2c3d12 min ago · .*\d\d:\d\d/);
    expect(wordsOf(earlier)).toMatch(/^119f8e7d61 d ago · .*\d/);
    expect(within(earlier).getByRole('link')).toHaveAttribute(
      'href',
      `https://github.com/example/shop/commit/${OTHER}`,
    );
  });

  it('names the source of each revision if there are several', async () => {
    const revisions = [COMMIT, OTHER];
    const { drawer } = await open(
      {
        revision: undefined,
        revisions,
        running: { revision: COMMIT, revisions },
        history: [{ id: 1, revisions }],
      },
      [REPOSITORY, VALUES],
    );
    const lists = within(drawer)
      .getAllByRole('list')
      .filter(list => /a1b2c3d/.test(list.textContent ?? ''));
    expect(lists).toHaveLength(3);
    for (const list of lists) {
      expect(wordsOf(list)).toBe('a1b2c3d shop / deploy9f8e7d6 values');
      expect(
        within(list)
          .getAllByRole('link')
          .map(link => link.getAttribute('href')),
      ).toEqual([
        `https://github.com/example/shop/commit/${COMMIT}`,
        `https://gitlab.com/example/values/-/commit/${OTHER}`,
      ]);
    }
    expect(within(drawer).getByText('Compared with')).toBeVisible();
    expect(within(drawer).getByText('Running')).toBeVisible();
  });

  it('links external URLs, but only web URLs', async () => {
    const { drawer } = await open({
      revision: undefined,
      running: undefined,
      externalUrls: [
        'https://shop.example.com/',
        'data:text/html,<script>alert(1)</script>',
        'not an address',
        'http://shop.internal/path',
      ],
    });
    expect(
      within(drawer)
        .getAllByRole('link')
        .map(link => [link.firstChild?.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['shop.example.com', 'https://shop.example.com/'],
      ['shop.internal/path', 'http://shop.internal/path'],
    ]);
    expect(drawer).not.toHaveTextContent(/alert|not an address/);
  });

  it('shows the message of the last operation once', async () => {
    const { drawer, unmount } = await open(everything());
    expect(drawer).toHaveTextContent(
      /Succeeded 12 min ago · .*\d · retried 2 timessuccessfully synced/,
    );
    unmount();
    const failed = await open({
      operationMessage: 'one or more objects failed to apply',
      conditions: [
        {
          type: 'SyncError',
          message: 'one or more objects failed to apply, reason: forbidden',
        },
      ],
    });
    expect(within(failed.drawer).getAllByText(/failed to apply/)).toHaveLength(
      1,
    );
  });

  it('says who started the last operation, and what was said about it', async () => {
    const { drawer, unmount } = await open({
      operationStartedBy: 'alice',
      operationInformation: [
        { name: 'Reason', value: 'the window was missed' },
      ],
    });
    expect(drawer).toHaveTextContent(
      /· started by aliceReason: the window was missed/,
    );
    unmount();
    const automated = await open({ operationAutomated: true });
    expect(automated.drawer).toHaveTextContent('· started by Argo CD');
  });

  it('says what the source hydrator rendered and does now', async () => {
    const { drawer } = await open({
      hydration: {
        phase: 'Failed',
        startedAt: minutesAgo(3),
        message: 'push declined',
        wantedDryRevision: COMMIT,
        dryRevision: OTHER,
        hydratedRevision: 'e'.repeat(40),
        equalsSpec: true,
      },
    });
    expect(drawer).toHaveTextContent(
      /Source hydratorFailed 3 min ago · .*rendered 9f8e7d6.* to eeeeeee.*now a1b2c3d.*push declined/,
    );
  });

  it.each<[string, RollingSyncPosition, RegExp]>([
    [
      'its step and what the controller says of it',
      {
        steps: 3,
        step: 2,
        status: 'Waiting',
        message: 'Application has pending changes',
        since: minutesAgo(3),
      },
      /Rolling syncstep 2 of 3 · Waiting 3 min ago · .*Application has pending changes/,
    ],
    ['that no step selects it', { steps: 3 }, /Rolling syncin none of 3 steps/],
  ])('says of a rolling sync %s', async (_, rollingSync, expected) => {
    const { drawer } = await open({ rollingSync });
    expect(drawer).toHaveTextContent(expected);
  });

  it('says which resources are only there until they are pruned', async () => {
    const { drawer } = await open({
      resources: [
        {
          kind: 'Service',
          name: 'web',
          sync: 'OutOfSync',
          requiresPruning: true,
          requiresDeletionConfirmation: true,
        },
      ],
    });
    expect(drawer).toHaveTextContent(
      /webno longer in the source: a sync with pruning deletes ita person has to confirm its deletion/,
    );
  });

  it('marks a message that is cut off', async () => {
    const whole = { type: 'SyncError', message: 'forbidden' };
    const cut = { ...whole, message: 'a long st...', truncated: true };
    const { drawer } = await open({ conditions: [whole, cut] });
    const [notice] = within(drawer).getAllByText(/is cut off/);
    expect(notice.parentElement).toHaveTextContent('a long st...');
    expect(within(drawer).getAllByText(/is cut off/)).toHaveLength(1);
  });

  it('says how many resources are not listed and that their health is not reported', async () => {
    const { drawer } = await open(everything());
    expect(drawer).toHaveTextContent('7 more resources are not listed.');
    expect(drawer).toHaveTextContent(
      /does not report the health of each resource/,
    );
    expect(drawer).toHaveTextContent(
      'Completed from the search index: resources.',
    );
  });

  it('names another source of details, with its age', async () => {
    const search = { from: 'search', observedAt: minutesAgo(3) };
    const { drawer } = await open({
      statusAt: minutesAgo(90),
      sources: {
        conditions: { from: 'manifestWork', observedAt: minutesAgo(90) },
        resources: search,
        images: search,
      },
    });
    expect(drawer).toHaveTextContent(
      'From the search index, as of 3 min ago: resources, images.',
    );
    // The age of the status is not shown as that of the resources.
    expect(headings(drawer)[0]).toBe('Resources ');
  });

  it('shows what the table knows while the details load', async () => {
    const { drawer, backend } = await renderDrawer(
      forbiddenApplication('edge'),
      [REPOSITORY],
      'never',
    );
    expect(drawer).toHaveTextContent(/MissingOutOfSyncfor 11 min/);
    expect(within(drawer).getByText(FORBIDDEN.title)).toBeVisible();
    expect(
      within(drawer).getByRole('status', { name: 'Loading the details' }),
    ).toHaveAttribute('aria-busy', 'true');
    await waitFor(() =>
      expect(backend.requests).toEqual([`${API}/edge-guestbook-app`]),
    );
    expect(backend.timelines).toEqual([]);
  });

  it('says why the details cannot be loaded', async () => {
    const { drawer, baseElement } = await renderDrawer(
      forbiddenApplication('edge'),
      [REPOSITORY],
      failure(500, 'Error', 'out of memory'),
    );
    expect(await within(drawer).findByText('out of memory')).toBeVisible();
    expect(drawer).toHaveTextContent(/MissingOutOfSync/);
    expect(await axe(baseElement)).toHaveNoViolations();
  });

  it('says that the Application of its link is gone, and requests nothing', async () => {
    const backend = createFakeBackend('never');
    const { baseElement } = renderForEntity(
      <ClusterDrawer
        openRow="edge/openshift-gitops/edge-guestbook-app"
        row={undefined}
        set={SET}
        sources={[REPOSITORY]}
        onClose={() => {}}
      />,
      backend,
    );
    const drawer = await screen.findByRole('dialog', { name: 'edge' });
    expect(drawer).toHaveTextContent(/This Application is gone/);
    expect(within(drawer).queryByRole('status', { busy: true })).toBeNull();
    expect(backend.requests).toEqual([]);
    expect(await axe(baseElement)).toHaveNoViolations();
  });
});

describe('the delivery path', () => {
  const stepsOf = (drawer: HTMLElement) =>
    [
      ...within(drawer).getByRole('list', { name: 'Delivery path' }).children,
    ].map(step => step.firstElementChild!.nextElementSibling as HTMLElement);

  it('says in the title of a failed step why it failed, with the code', async () => {
    const { drawer } = await open({
      health: 'Missing',
      sync: 'OutOfSync',
      finding: FORBIDDEN,
    });
    const [synced] = stepsOf(drawer).slice(-2);
    expect(synced).toHaveTextContent(
      /^Not synced: Argo CD may not create Deployments here AFC-204/,
    );
    expect(within(synced).getByText('AFC-204')).toBeVisible();
    expect(drawer).not.toHaveTextContent(/\(failed\)|Synced by Argo CD/);
    expect(
      within(drawer).getAllByText(new RegExp(FORBIDDEN.title)),
    ).toHaveLength(1);
    expect(within(drawer).getAllByText('AFC-204')).toHaveLength(1);
    expect(
      within(drawer).getByRole('group', {
        name: 'What is wrong and what to do',
      }),
    ).toHaveTextContent(FORBIDDEN.message);
  });

  it('has the title of a failed step alone where the reason is not known', async () => {
    const { drawer } = await open({ sync: 'OutOfSync' });
    const [synced] = stepsOf(drawer).slice(-2);
    expect(synced).toHaveTextContent(/^Not synced ?\d+ min ago · .*\d/);
  });

  it('names the state of the other steps for screen readers only', async () => {
    const warning = { ...FORBIDDEN, severity: 'warning' } as const;
    const { drawer } = await open({
      steps: [
        { id: 'applied', state: 'done', title: 'Applied by the agent' },
        {
          id: 'synced',
          state: 'active',
          title: 'Not synced yet',
          finding: warning,
        },
        { id: 'healthy', state: 'waiting', title: 'Healthy' },
      ],
    });
    expect(stepsOf(drawer).map(({ textContent }) => textContent)).toEqual([
      'Applied by the agent (done)',
      'Not synced yet (in progress)',
      'Healthy (waiting)',
    ]);
    for (const state of ['(done)', '(in progress)', '(waiting)']) {
      expect(within(drawer).getByText(state)).toHaveStyle({
        position: 'absolute',
        width: '1px',
      });
    }
    // The box has the title and the code of a step that did not fail.
    const box = within(drawer).getByRole('group', {
      name: 'What is wrong and what to do',
    });
    expect(box).toHaveTextContent(
      /^Argo CD may not create Deployments here AFC-204/,
    );
  });
});
