import type {
  ApplicationSetRows,
  ClusterApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { axe, toHaveNoViolations } from 'jest-axe';
import { useState } from 'react';
import { createFakeBackend } from '../__testUtils__/fakeBackend';
import {
  applicationSetRows,
  clusterApplication,
  COMMIT,
  FORBIDDEN,
  forbiddenApplication,
  guestbook,
  largeFleet,
  minutesAgo,
} from '../__testUtils__/fixtures';
import { renderForEntity } from '../__testUtils__/render';
import { clusters, currentUrl, opener, tile } from '../__testUtils__/section';
import { FleetSection } from './FleetSection';

expect.extend(toHaveNoViolations);

const OLD_COMMIT = 'f00ba12d4e5f60718293a4b5c6d7e8f900112233';

/** Renders a section; the returned function shows another state of its set. */
async function renderSection(first: ApplicationSetRows, url = '/') {
  let show: (set: ApplicationSetRows) => void = () => {};
  function Section() {
    const [set, setSet] = useState(first);
    show = setSet;
    return <FleetSection set={set} live={{ connection: 'live' }} />;
  }
  const rendered = renderForEntity(<Section />, createFakeBackend('never'), {
    url,
  });
  await screen.findByText(first.ref.name);
  return {
    ...rendered,
    update: (set: ApplicationSetRows) => act(() => show(set)),
  };
}

/** The filters by state, each with its number. */
const chips = () =>
  within(screen.getByLabelText('Filter by state'))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);

const named = (...names: string[]) =>
  names.map(name => clusterApplication(name));

/** Half of the clusters run the wanted revision, and it is not known what runs on the last one. */
function halfRolledOut(): ApplicationSetRows {
  const applications: ClusterApplication[] = [
    clusterApplication('new-1'),
    clusterApplication('old-1', { running: { revision: OLD_COMMIT } }),
    clusterApplication('old-2', { running: { revision: OLD_COMMIT } }),
    clusterApplication('fresh', { running: undefined }),
  ];
  return applicationSetRows(applications, {
    revisions: [
      {
        revision: COMMIT,
        targetRevisions: ['main'],
        clusters: 1,
        wanted: 4,
      },
      { revision: OLD_COMMIT, clusters: 2, wanted: 0 },
    ],
    notKnown: 1,
  });
}

describe('the header', () => {
  it.each<[string, Partial<ApplicationSetRows>, RegExp]>([
    [
      'the step that a rolling sync is in',
      {
        rollingSync: {
          steps: 3,
          reported: true,
          step: 2,
          waiting: 4,
          waitsFor: ['a', 'b', 'c'],
          since: minutesAgo(5),
        },
      },
      /^rolling sync: step 2 of 3 waits for a, b, c and 1 more · 5 min$/,
    ],
    [
      'what a rolling sync waits for, where that is few',
      {
        rollingSync: {
          steps: 3,
          reported: true,
          step: 1,
          waiting: 1,
          waitsFor: ['a'],
        },
      },
      /^rolling sync: step 1 of 3 waits for a$/,
    ],
    [
      'that a rolling sync is done',
      { rollingSync: { steps: 3, reported: true, since: minutesAgo(5) } },
      /^rolling sync: all 3 steps done · 5 min ago$/,
    ],
    [
      'that Argo CD reports no rolling sync',
      { rollingSync: { steps: 3, reported: false } },
      /^rolling sync: Argo CD reports none$/,
    ],
    [
      'the health of the ApplicationSet',
      { health: { status: 'Degraded', message: 'a generator failed' } },
      /^ApplicationSet Degraded$/,
    ],
  ])('says %s', async (_, parts, expected) => {
    const { container } = await renderSection(
      applicationSetRows(named('edge'), parts),
    );
    const texts = Array.from(
      container.querySelectorAll('span'),
      ({ textContent }) => textContent,
    );
    expect(texts).toContainEqual(expect.stringMatching(expected));
  });
});

describe('Applications', () => {
  it('of a set with two on a cluster are named below it, and hub clusters are counted once', async () => {
    const twice = named('edge', 'edge').map((each, index) => ({
      ...each,
      application: { ...each.application, name: `edge-${index}` },
    }));
    const reason = 'local is the hub itself';
    const excluded = ['local-0', 'local-1'].map(name => ({
      application: { namespace: 'openshift-gitops', name },
      cluster: 'local',
      reason,
    }));
    await renderSection(
      applicationSetRows(twice, {
        placement: { name: 'everywhere', decisions: 2 },
        excluded,
      }),
    );
    expect(screen.getByText('edge-0')).toBeVisible();
    expect(screen.getByText('edge-1')).toBeVisible();
    expect(
      screen.getByText(/2 clusters, 1 of them the hub itself/),
    ).toBeVisible();
    expect(
      screen.getByText(`2 generated Applications are not delivered: ${reason}`),
    ).toBeVisible();
  });

  it('without a target are counted as what they are', async () => {
    const rows = named('', '').map((each, index) => ({
      ...each,
      state: 'inTrouble' as const,
      application: { ...each.application, name: `shop-${index}` },
    }));
    const set = applicationSetRows(rows);
    await renderSection({
      ...set,
      summary: {
        ...set.summary,
        clusters: 0,
        withoutCluster: 2,
        state: { ...set.summary.state, inTrouble: 2 },
      },
    });
    expect(
      screen.getByText(
        '2 in trouble · 2 Applications without a target cluster',
      ),
    ).toBeVisible();
  });
});

it('says how many Applications are delivered in which way, where there are several', async () => {
  await renderSection(
    applicationSetRows(named('a', 'b'), {
      deliveryModels: [
        { model: 'pull', applications: 1 },
        { model: 'agent', applications: 1 },
      ],
    }),
  );
  expect(screen.getByText('pull 1 · agent 1')).toHaveAttribute(
    'title',
    'Its Applications are delivered differently: pull 1 · agent 1',
  );
});

describe('trouble', () => {
  const unsynced = applicationSetRows(
    ['a', 'b'].map(name => clusterApplication(name, { sync: 'Unknown' })),
  );

  it('is what a fleet that cannot sync is in, however healthy it is', async () => {
    await renderSection(unsynced);
    expect(
      screen.getByRole('img', { name: 'State: 2 in trouble' }),
    ).toBeInTheDocument();
    const chip = tile(/^in trouble$/);
    expect(chip).toHaveTextContent('2in trouble');
    const [tone, trouble] = [
      screen.getAllByText('Unknown')[0],
      within(chip).getByText('2'),
    ].map(element => getComputedStyle(element).color);
    expect(tone).toBe(trouble);
  });

  it('is a filter that the URL keeps', async () => {
    await renderSection(
      applicationSetRows([
        ...named('fine'),
        clusterApplication('silent', { staleSince: minutesAgo(90) }),
        clusterApplication('lost', { sync: 'Unknown' }),
        forbiddenApplication('forbidden'),
      ]),
    );
    expect(
      screen.getByRole('img', { name: 'State: 1 ok, 3 in trouble' }),
    ).toBeInTheDocument();
    await userEvent.click(tile(/in trouble/));
    expect(clusters()).toEqual(['forbidden', 'lost', 'silent']);
    expect(currentUrl()).toContain('state=inTrouble');
    expect(tile(/in trouble/)).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByText(/filtered by in trouble/)).toBeInTheDocument();
    await userEvent.click(tile(/in trouble/));
    expect(clusters()).toHaveLength(4);
  });

  it('has a filter for each state that exists, and for the one that is chosen', async () => {
    const { update } = await renderSection(applicationSetRows(named('a', 'b')));
    expect(chips()).toEqual(['2ok']);
    update(unsynced);
    expect(chips()).toEqual(['2in trouble', '2sync unknown']);
    await userEvent.click(tile(/^in trouble$/));
    update(applicationSetRows(named('a', 'b')));
    expect(chips()).toEqual(['0in trouble', '2ok']);
  });

  it('of three kinds of not being done has a word and a filter for each', async () => {
    await renderSection(
      applicationSetRows([
        ...named('fine'),
        clusterApplication('rolling', { health: 'Progressing' }),
        clusterApplication('asks', { sync: 'OutOfSync', state: 'paused' }),
        clusterApplication('shut', { sync: 'OutOfSync', state: 'blocked' }),
      ]),
    );
    expect(
      screen.getByText(
        '1 of 4 clusters cannot go on · 1 waiting for a person · 1 in progress',
      ),
    ).toBeInTheDocument();
    expect(
      screen.getByRole('img', {
        name: 'State: 1 ok, 1 in progress, 1 waiting for a person, 1 cannot go on',
      }),
    ).toBeInTheDocument();
    for (const [words, cluster] of [
      [/^in progress$/, 'rolling'],
      [/^waiting for a person$/, 'asks'],
      [/^cannot go on$/, 'shut'],
    ] as const) {
      await userEvent.click(tile(words));
      expect(clusters()).toEqual([cluster]);
    }
  });

  it('says of an agent that lives what is not healthy, not that it is silent', async () => {
    const silent = clusterApplication('silent', { staleSince: minutesAgo(90) });
    const ill = clusterApplication('ill', { staleSince: minutesAgo(90) });
    await renderSection(
      applicationSetRows([
        silent,
        { ...ill, cluster: { ...ill.cluster, available: 'False' } },
      ]),
    );
    const marked = (cluster: string) => opener(cluster).closest('td');
    expect(marked('silent')).toHaveTextContent(/stale/);
    expect(marked('ill')).toHaveTextContent(/unhealthy/);
    expect(marked('ill')).not.toHaveTextContent(/stale/);
  });

  it('of a report that is older than what is wanted is never green', async () => {
    await renderSection(
      applicationSetRows(
        [
          clusterApplication('silent', {
            staleSince: minutesAgo(90),
            sync: 'OutOfSync',
            reportedSync: 'Synced',
            wanted: ['1.9'],
            compared: ['1.8'],
            running: { revision: COMMIT, notKnown: true },
          }),
        ],
        {
          revisions: [{ targetRevisions: ['1.9'], clusters: 0, wanted: 1 }],
          notKnown: 1,
        },
      ),
    );
    const cells = within(opener('silent').closest('tr')!).getAllByRole(
      'gridcell',
    );
    expect(cells.slice(1, 5).map(({ textContent }) => textContent)).toEqual([
      'in trouble',
      'was Healthy',
      'was Synced',
      expect.stringMatching(/^not known since .*\d:\d\d/),
    ]);
    expect(chips()).toEqual([
      '1in trouble',
      '1out of sync',
      '1behind the wanted version',
      '1stale, silent',
    ]);
    expect(screen.getByText(/no cluster has compared/)).toBeInTheDocument();
    await userEvent.click(screen.getByText('not known on 1'));
    expect(currentUrl()).toContain('notKnown=true');
    expect(clusters()).toEqual(['silent']);
  });
});

describe('the cause of a filter', () => {
  it('is said to be gone when it is, with a way out', async () => {
    await renderSection(guestbook(), '/?cause=AFC-204-solved');
    expect(
      screen.getByText(/cause that this page is filtered by is gone/),
    ).toBeInTheDocument();
    await userEvent.click(
      screen.getByRole('button', { name: 'Clear filters' }),
    );
    expect(clusters()).toHaveLength(3);
    expect(currentUrl()).not.toContain('cause');
  });
});

describe('an empty result', () => {
  it('offers to clear the filters, and keeps the focus in the panel', async () => {
    await renderSection(guestbook(), '/?health=Suspended');
    expect(
      screen.getByText('No application matches these filters.'),
    ).toBeInTheDocument();
    await userEvent.click(
      screen.getByRole('button', { name: 'Clear filters' }),
    );
    expect(clusters()).toHaveLength(3);
    expect(document.body).not.toHaveFocus();
  });
});

describe('first errors', () => {
  it('are the titles of findings, in the tone of their severity', async () => {
    const warning = {
      ...FORBIDDEN,
      code: 'AFC-214',
      severity: 'warning',
      title: 'Out of sync',
    } as const;
    await renderSection(
      applicationSetRows([
        clusterApplication('behind', { sync: 'OutOfSync', finding: warning }),
        forbiddenApplication('cluster1'),
      ]),
    );
    const table = within(screen.getByRole('grid'));
    const [error, message] = [FORBIDDEN.title, 'Out of sync'].map(title =>
      table.getByText(title),
    );
    expect(getComputedStyle(message).color).not.toBe(
      getComputedStyle(error).color,
    );
    expect(table.queryByText(/is forbidden/)).toBeNull();
  });
});

describe('revisions', () => {
  it('that run are shown, with the wanted one beside it where it differs', async () => {
    await renderSection(halfRolledOut());
    // Browsers call a cell of a grid `gridcell`; the testing library does not.
    const cellOf = (name: string) =>
      within(opener(name).closest('tr')!).getAllByRole('gridcell')[4];
    expect(cellOf('new-1')).toHaveTextContent(/^main a1b2c3d/);
    expect(cellOf('new-1')).not.toHaveTextContent('→');
    expect(cellOf('old-1')).toHaveTextContent(/^f00ba12.*→wanted: main/);
    expect(within(cellOf('old-1')).getByTitle(/Running/)).toHaveAttribute(
      'title',
      'Running: f00ba12\nWanted: main',
    );
    expect(cellOf('fresh')).toHaveTextContent(/^not known$/);
  });

  it('are counted, and filter the table', async () => {
    await renderSection(halfRolledOut());
    const strip = within(
      screen.getByRole('group', { name: 'Filter by version' }),
    );
    const old = strip.getByRole('button', { name: /f00ba12 ?on 2/ });
    await userEvent.click(old);
    expect(clusters()).toEqual(['old-1', 'old-2']);
    expect(currentUrl()).toContain(`running=${OLD_COMMIT}`);
    expect(old).toHaveAttribute('aria-pressed', 'true');

    await userEvent.click(tile(/behind the wanted version/));
    expect(clusters()).toEqual(['old-1', 'old-2']);
    expect(currentUrl()).toContain('behind=true');
    expect(currentUrl()).not.toContain('running=');
  });

  it('are one while one runs everywhere and no other is wanted', async () => {
    await renderSection(applicationSetRows(named('a', 'b')));
    expect(
      screen.getByRole('group', { name: 'Filter by version' }),
    ).toHaveTextContent(/^main \(a1b2c3d\) on all 2 clusters$/);
  });
});

describe('rows', () => {
  const worse = applicationSetRows([
    clusterApplication('a'),
    clusterApplication('b'),
    forbiddenApplication('c'),
    clusterApplication('new'),
  ]);

  it('keep their places through updates, until they are sorted again', async () => {
    const { update } = await renderSection(
      applicationSetRows(named('a', 'b', 'c', 'gone')),
    );
    update(worse);
    expect(clusters()).toEqual(['a', 'b', 'c', 'new']);
    expect(screen.getByRole('row', { name: /^c / })).toHaveTextContent(
      'Missing',
    );
    expect(screen.getByText(/1 row moved/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Sort again' }));
    expect(clusters()).toEqual(['c', 'a', 'b', 'new']);
    expect(screen.queryByText(/moved/)).toBeNull();
  });

  it('are sorted anew by another order', async () => {
    const { update } = await renderSection(
      applicationSetRows(named('a', 'b', 'c')),
    );
    update(worse);
    await userEvent.click(screen.getByRole('button', { name: 'Health' }));
    expect(clusters()[0]).toBe('c');
  });
});

it('tells what is wrong with the set and its rows once', async () => {
  const finding = {
    code: 'AFC-121',
    severity: 'warning',
    title: 'No longer pull-model',
    message: '',
  } as const;
  const other = { ...finding, code: 'AFC-302', title: 'No such Placement' };
  const set = applicationSetRows([clusterApplication('a', { finding })]);
  await renderSection({ ...set, findings: [finding, other] });
  expect(screen.getAllByText(/No longer pull-model/)).toHaveLength(2);
  expect(
    within(screen.getByRole('list', { name: 'What is wrong' })).getByText(
      'No longer pull-model',
    ),
  ).toBeVisible();
  expect(screen.getByText(/No such Placement/)).toBeVisible();
});

describe('labels', () => {
  const inRegion = (name: string, region?: string): ClusterApplication => {
    const application = clusterApplication(name);
    const labels = region ? { region, env: 'test' } : undefined;
    return { ...application, cluster: { ...application.cluster, labels } };
  };
  const SET = applicationSetRows([
    inRegion('a', 'us'),
    inRegion('b', 'eu'),
    inRegion('c', 'us'),
    inRegion('hub'),
  ]);
  const heading = (words: RegExp) => screen.getByRole('row', { name: words });

  it('group the rows, and groups are folded and opened', async () => {
    await renderSection(SET);
    await userEvent.selectOptions(
      screen.getByLabelText('Group by label'),
      'By region (2 values)',
    );
    await waitFor(() => expect(currentUrl()).toBe('/?group=region'));
    expect(clusters()).toEqual(['b', 'a', 'c', 'hub']);
    expect(heading(/^region=us/)).toHaveTextContent('2 applications');
    expect(heading(/^without region/)).toHaveTextContent('1 application');
    await userEvent.click(heading(/^region=us/));
    expect(clusters()).toEqual(['b', 'hub']);
    expect(screen.getByText('region=us').closest('button')).toHaveAttribute(
      'aria-expanded',
      'false',
    );
    await userEvent.click(screen.getByText('Fold all groups'));
    expect(screen.queryByLabelText(/: show details$/)).toBeNull();
    await userEvent.click(screen.getByText('Open all groups'));
    expect(clusters()).toEqual(['b', 'a', 'c', 'hub']);
  });

  it('are columns, by which rows are sorted', async () => {
    await renderSection(SET, '/?group=env');
    await userEvent.click(screen.getByText('Label columns'));
    const menu = await screen.findByRole('menu', { name: 'Label columns' });
    await userEvent.click(within(menu).getByText('region'));
    await userEvent.click(within(menu).getByText('env'));
    await userEvent.keyboard('{Escape}');
    await waitFor(() =>
      expect(currentUrl()).toBe('/?group=env&labels=region%2Cenv'),
    );
    expect(await screen.findByText('Label columns (2)')).toBeVisible();
    expect(screen.getByRole('row', { name: /^b / })).toHaveTextContent(
      /eu.*test/,
    );
    await userEvent.click(screen.getByRole('button', { name: 'region' }));
    await waitFor(() => expect(currentUrl()).toContain('sort=label%3Aregion'));
    expect(clusters()).toEqual(['b', 'a', 'c', 'hub']);
    await userEvent.click(screen.getByRole('button', { name: 'region' }));
    await waitFor(() => expect(clusters()).toEqual(['a', 'c', 'b', 'hub']));
  });

  it('have their name without the prefix as heading', async () => {
    await renderSection(SET, '/?labels=example.com/tier');
    expect(screen.getByTitle('example.com/tier')).toHaveTextContent(/^tier$/);
  });

  it('that a link names and no cluster has are offered to be taken away', async () => {
    await renderSection(SET, '/?labels=gone,constructor&group=gone');
    expect(heading(/^without gone/)).toHaveTextContent('4 applications');
    await userEvent.click(screen.getByText('Label columns (2)'));
    const menu = await screen.findByRole('menu');
    await userEvent.click(within(menu).getByText('gone'));
    await waitFor(() => expect(currentUrl()).toContain('labels=constructor&'));
  });

  it('are no tools where no cluster has any', async () => {
    await renderSection(applicationSetRows([inRegion('hub')]));
    expect(screen.queryByLabelText('Group by label')).toBeNull();
    expect(screen.queryByText('Label columns')).toBeNull();
  });

  it('of groups are lines of the table for the keyboard', async () => {
    await renderSection(SET, '/?group=region');
    const eu = screen.getByText('region=eu').closest('button')!;
    eu.focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(opener('b')).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}{Enter}');
    expect(eu).toHaveFocus();
    expect(clusters()).toEqual(['a', 'c', 'hub']);
    await userEvent.keyboard('{End}');
    expect(opener('hub')).toHaveFocus();
  });

  it('have no accessibility violations as groups and columns', async () => {
    const { container } = await renderSection(
      SET,
      '/?group=region&labels=region,env',
    );
    expect(await axe(container)).toHaveNoViolations();
  });
});

describe('by keyboard', () => {
  const tabStops = () =>
    [
      ...screen
        .getByRole('grid')
        .querySelectorAll<HTMLElement>('a, button, [tabindex]'),
    ].filter(({ tabIndex }) => tabIndex === 0);

  it('the table is one stop of the Tab key', async () => {
    await renderSection(applicationSetRows(named('a', 'b', 'c')));
    expect(tabStops()).toEqual([opener('a')]);
    opener('a').focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(tabStops()).toEqual([opener('b')]);
  });

  it.each<[string, string, string]>([
    ['a', '{ArrowDown}', 'b'],
    ['b', '{ArrowUp}', 'a'],
    ['a', '{End}', 'd'],
    ['d', '{Home}', 'a'],
    ['d', '{ArrowDown}', 'd'],
    ['a', '{PageDown}', 'b'],
    ['d', '{PageUp}', 'c'],
  ])('from %s, %s goes to %s', async (from, key, to) => {
    await renderSection(applicationSetRows(named('a', 'b', 'c', 'd')));
    opener(from).focus();
    await userEvent.keyboard(key);
    expect(opener(to)).toHaveFocus();
  });

  it('the headings are above the first row, and links beside the button of their row', async () => {
    await renderSection(applicationSetRows(named('a', 'b')));
    opener('a').focus();
    await userEvent.keyboard('{ArrowUp}{ArrowRight}');
    expect(screen.getByRole('button', { name: 'State' })).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{ArrowRight}');
    expect(document.activeElement).toHaveAttribute(
      'href',
      expect.stringContaining(COMMIT),
    );
    await userEvent.keyboard('{ArrowLeft}');
    expect(opener('a')).toHaveFocus();
  });

  it('the focus stays on its row through updates, and on its place when the row goes', async () => {
    const { update } = await renderSection(
      applicationSetRows(named('a', 'b', 'c')),
    );
    opener('b').focus();
    update(applicationSetRows([forbiddenApplication('b'), ...named('a', 'c')]));
    expect(opener('b')).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Sort again' }));
    opener('b').focus();
    update(applicationSetRows(named('a', 'c')));
    expect(opener('a')).toHaveFocus();
  });

  it('opens the drawer', async () => {
    await renderSection(applicationSetRows(named('a', 'b')));
    opener('a').focus();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(currentUrl()).toContain('row=b'));
  });

  it('shows the next and the previous row in the open drawer, in the order of the table', async () => {
    await renderSection(applicationSetRows(named('a', 'b', 'c')), '/?own=1');
    await userEvent.click(opener('b'));
    const drawer = (name: string) => screen.findByRole('dialog', { name });
    const close = within(await drawer('b')).getByRole('button', {
      name: 'Close',
    });
    close.focus();
    await userEvent.keyboard('j');
    expect(
      within(await drawer('c')).getByRole('button', { name: 'Next cluster' }),
    ).toHaveAttribute('aria-disabled', 'true');
    await userEvent.keyboard('jkk');
    expect(await drawer('a')).toBeVisible();
    expect(currentUrl()).toContain('row=a');
    // One step of the browser's history, however many rows were shown.
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(currentUrl()).toBe('/?own=1'));
  });

  it('goes to the search by /, and not while the drawer is open', async () => {
    await renderSection(applicationSetRows(named('a', 'b')));
    const search = screen.getByRole('searchbox');
    await userEvent.keyboard('/');
    expect(search).toHaveFocus();
    await userEvent.keyboard('a/b');
    expect(search).toHaveValue('a/b');
    await userEvent.clear(search);
    await userEvent.click(opener('a'));
    await screen.findByRole('dialog', { name: 'a' });
    await userEvent.keyboard('/');
    expect(search).not.toHaveFocus();
  });

  it('reaches the last of thousands of rows, of which few are rendered', async () => {
    // jsdom has no layout: the test sets the height of the scroll box.
    const height = jest
      .spyOn(Element.prototype, 'clientHeight', 'get')
      .mockReturnValue(600);
    try {
      await renderSection(
        applicationSetRows(largeFleet(3_500)),
        '/?sort=cluster',
      );
      await waitFor(() => expect(clusters().length).toBeGreaterThan(10));
      opener('ap-edge-0002').focus();
      await userEvent.keyboard('{End}');
      expect(opener('us-edge-3499')).toHaveFocus();
      expect(clusters().length).toBeLessThan(60);
      expect(tabStops()).toEqual([opener('us-edge-3499')]);
    } finally {
      height.mockRestore();
    }
  });
});

it('has no accessibility violations with causes and several revisions', async () => {
  const half = halfRolledOut();
  const { applications, causes } = guestbook();
  const { baseElement } = await renderSection({
    ...half,
    applications: [...half.applications, ...applications],
    causes,
  });
  expect(await axe(baseElement)).toHaveNoViolations();
});
