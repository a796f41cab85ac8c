import { ServiceUnavailableError } from '@backstage/errors';
import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { mockLogger } from '../../__testUtils__/mockLogger';
import { waitFor } from '../../__testUtils__/waitFor';
import { TakenOverError, type FleetRecords } from '../../database/fleetRecords';
import type { FleetReader } from '../../fleet/fleetReader';
import type { FleetCache } from '../../fleet/fleetCache';
import type { KnownRecord } from '../../model/status/applicationRecord';
import type { Controller } from '../../runtime/controller';
import { createResourceSync } from './resourceSync';

const KEY = 'argocd/gone';
const RECORDED: KnownRecord = {
  ...{ id: 1, sequence: 1, changedAt: 1, reportedAt: 0 },
  ...{ state: 1, error: 0, columns: 1, details: 1, recordAgainAt: 0 },
};

/**
 * Resource sync of a hub on which nothing is any more, where nothing else is said; the database has one Application of
 * it.
 */
function setUp(
  refresh: () => Promise<void> = async () => {},
  applications: ReadonlyMap<string, ArgoApplication> = new Map(),
) {
  let epoch = 0;
  const written: string[] = [];
  const records: FleetRecords = {
    async takeOver() {
      epoch += 1;
      return epoch;
    },
    async *load() {
      yield [[{ namespace: 'argocd', name: 'gone' }, RECORDED]];
    },
    async record(_, own, changes) {
      if (own !== epoch) {
        throw new TakenOverError('hub');
      }
      changes.forEach(({ name }) => written.push(name));
      return changes.map(() => undefined);
    },
  };
  const controller = createResourceSync({
    cache: {
      hub: 'hub',
      applications,
      works: { by: () => [] },
      clusters: new Map(),
      clusterSecrets: { by: () => [] },
    } as unknown as FleetCache,
    reader: {} as FleetReader,
    records,
    details: { refresh, onChange: () => () => {} },
  });
  return { controller, records, written, epoch: () => epoch };
}

/** What a run does first, and how it ends. */
function begin(controller: Controller) {
  const end = new AbortController();
  const logger = mockLogger();
  return {
    prepared: controller.hubChecks!.prepare!({ signal: end.signal, logger }),
    abort: () => end.abort(),
  };
}

const reconcile = (controller: Controller) =>
  controller.reconcile(KEY, {} as Parameters<Controller['reconcile']>[1]);

describe('resource sync and its database', () => {
  it('does not take over once its run has ended', async () => {
    let release = () => {};
    const { controller, epoch } = setUp(
      () =>
        new Promise(resolve => {
          release = resolve;
        }),
    );
    const { prepared, abort } = begin(controller);
    abort();
    await expect(prepared).rejects.toThrow('aborted');
    release();
    await turn();
    expect(epoch()).toBe(0);
  });

  it('does not blame the database for what another replica did', async () => {
    const { controller, records } = setUp();
    await begin(controller).prepared;
    await records.takeOver('hub');
    const refused = reconcile(controller);
    await expect(refused).rejects.toThrow(ServiceUnavailableError);
    await expect(refused).rejects.toThrow(
      /^Another replica of the backend records hub "hub" now/,
    );
  });

  it.each([
    ['takeOver', () => new Promise<never>(() => {})],
    [
      'load',
      async function* never() {
        await new Promise<never>(() => {});
      },
    ],
    ['record', () => new Promise<never>(() => {})],
  ] as const)(
    'continues with its next run when the database never answers (%s)',
    async (method, hang) => {
      const { controller, records, written } = setUp();
      const hanging = jest.spyOn(records, method).mockImplementationOnce(hang);
      const first = begin(controller);
      const outcome = first.prepared.then(() => reconcile(controller));
      await waitFor(() => hanging.mock.calls.length === 1);
      first.abort();
      await expect(outcome).rejects.toThrow('aborted');
      await begin(controller).prepared;
      await reconcile(controller);
      expect(written).toEqual(['gone']);
    },
  );

  it('reconciles again only what is recorded differently than before', async () => {
    const names = ['same', 'other', 'gone', 'counted'];
    const applications = new Map(
      names.map(name => [
        `argocd/${name}`,
        {
          metadata: { namespace: 'argocd', name },
          spec: { destination: { server: 'https://one.example.com' } },
        } as ArgoApplication,
      ]),
    );
    const { controller, records } = setUp(undefined, applications);
    const recorded = new Map(names.map(name => [name, RECORDED]));
    jest.spyOn(records, 'load').mockImplementation(async function* all() {
      for (const [name, record] of recorded) {
        yield [[{ namespace: 'argocd', name }, record]];
      }
    });
    const inputs = () =>
      names.map(name => controller.dependencies?.(`argocd/${name}`));
    const [unread] = inputs();
    await begin(controller).prepared;
    const before = inputs();
    expect(before[0]).toEqual(unread);
    await records.takeOver('hub');
    recorded.set('same', { ...RECORDED });
    recorded.set('other', { ...RECORDED, columns: 2 });
    recorded.delete('gone');
    recorded.set('counted', { ...RECORDED, sequence: 3 });
    await begin(controller).prepared;
    const after = inputs();
    expect(
      names.filter((_, i) => !isDeepStrictEqual(before[i], after[i])),
    ).toEqual(['other', 'gone', 'counted']);
  });

  it('reconciles again what the history had no room for, once it is due', async () => {
    const application = {
      metadata: { namespace: 'argocd', name: 'gone' },
      spec: { destination: { server: 'https://one.example.com' } },
    } as ArgoApplication;
    const { controller, records } = setUp(
      undefined,
      new Map([[KEY, application]]),
    );
    const clock = jest.spyOn(Date, 'now');
    const inputsAt = (now: number) => {
      clock.mockReturnValue(now);
      return controller.dependencies?.(KEY);
    };
    await begin(controller).prepared;
    expect(inputsAt(61_000)).toEqual(inputsAt(59_999));

    jest.spyOn(records, 'load').mockImplementation(async function* omitted() {
      const record = { ...RECORDED, recordAgainAt: 60_000 };
      yield [[{ namespace: 'argocd', name: 'gone' }, record]];
    });
    await records.takeOver('hub');
    await begin(controller).prepared;
    expect(inputsAt(59_998)).toEqual(inputsAt(59_999));
    expect(inputsAt(60_000)).not.toEqual(inputsAt(59_999));
    expect(inputsAt(60_000)).toEqual(inputsAt(61_000));
    clock.mockRestore();
  });

  it('does not use what was read before another replica wrote', async () => {
    const { controller, records, written } = setUp();
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const reading = jest
      .spyOn(records, 'load')
      .mockImplementationOnce(async function* late() {
        await held;
        yield [];
      });
    const first = begin(controller);
    await waitFor(() => reading.mock.calls.length === 1);
    first.abort();
    await expect(first.prepared).rejects.toThrow('aborted');
    await begin(controller).prepared;
    release();
    await turn();
    await reconcile(controller);
    expect(written).toEqual(['gone']);
  });
});
