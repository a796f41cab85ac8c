import { screen, waitFor } from '@testing-library/react';
import { createFakeBackend, ok, serveSets } from '../__testUtils__/fakeBackend';
import {
  applicationSetRows,
  clusterApplication,
  entityFleet,
  forbiddenApplication,
} from '../__testUtils__/fixtures';
import { renderForEntity } from '../__testUtils__/render';
import { LiveMark } from '../live/LiveMark';
import { HealthLabel } from '../status/StatusLabel';
import { EntityFleetContent } from './EntityFleetContent';

jest.mock('../status/StatusLabel', () => {
  const actual = jest.requireActual('../status/StatusLabel');
  return { ...actual, HealthLabel: jest.fn(actual.HealthLabel) };
});
jest.mock('../live/LiveMark', () => {
  const actual = jest.requireActual('../live/LiveMark');
  return { ...actual, LiveMark: jest.fn(actual.LiveMark) };
});

/** Each render of a row of the table renders its health, with new props. */
const rowRenders = () => jest.mocked(HealthLabel).mock.calls.length;
/** When the answer that is shown was received. */
const shownSince = () =>
  jest.mocked(LiveMark).mock.lastCall?.[0].live.updatedAt ?? 0;

const ROWS = ['a', 'b', 'c'].map(name => clusterApplication(name));
const SET = applicationSetRows(ROWS);

/** Shows the set; the returned function has it loaded again with these rows, and shows them. */
async function renderTab() {
  const backend = createFakeBackend(ok(entityFleet([SET])));
  serveSets(backend, [SET]);
  const { api } = backend;
  let requested = 0;
  const answeredAt: number[] = [];
  const getApplicationSetRows: typeof api.getApplicationSetRows = async (
    ...request
  ) => {
    requested += 1;
    const rows = await api.getApplicationSetRows(...request);
    answeredAt.push(Date.now());
    return rows;
  };
  renderForEntity(<EntityFleetContent />, {
    ...backend,
    api: { ...api, getApplicationSetRows },
  });
  await screen.findByText(SET.ref.name);
  await waitFor(() => expect(backend.streams()).toBe(1));
  return async (set = SET) => {
    serveSets(backend, [set]);
    // Another load may run already, with the rows of before.
    const next = requested;
    backend.emit({ applicationSets: [SET.ref], hubs: [] });
    await waitFor(() =>
      expect(shownSince()).toBeGreaterThanOrEqual(answeredAt[next] ?? Infinity),
    );
  };
}

describe('an answer that is loaded again', () => {
  beforeEach(() => jest.clearAllMocks());

  it('renders no row while it is equal', async () => {
    const reload = await renderTab();
    const before = rowRenders();
    expect(before).toBeGreaterThanOrEqual(ROWS.length);
    await reload();
    await reload();
    expect(rowRenders()).toBe(before);
  });

  it('renders the row that changed, and no other', async () => {
    const reload = await renderTab();
    const before = rowRenders();
    const [a, , c] = ROWS;
    await reload(applicationSetRows([a, forbiddenApplication('b'), c]));
    expect(screen.getByRole('row', { name: /^b / })).toHaveTextContent(
      'Missing',
    );
    expect(rowRenders()).toBe(before + 1);
  });
});
