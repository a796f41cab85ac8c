import { PULL_LABEL } from 'backstage-plugin-argocd-fleet-common';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  CLUSTERS,
  startMovingFleet,
  type MovingFleet,
  type MovingSet,
} from './__testUtils__/movingFleet';

const OCM = 'apps.open-cluster-management.io';

/** Each test has an ApplicationSet for itself, all on one hub. */
const LABELS = [
  ['no', 'label-no'],
  [null, 'label-gone'],
] as const;
const FROZEN = [
  ['after another controller froze the works', 'frozen'],
  ['with works that nobody froze', 'free'],
] as const;
const ENDS = ['stays', 'orphaned', 'handed-over', 'removed'];

/** The ways out of the pull model, with the agents and Argo CDs of the clusters: what runs there in the end, and all the time. */
describe('on the managed clusters', () => {
  let fleet: MovingFleet;

  beforeAll(async () => {
    fleet = await startMovingFleet([
      ...LABELS.map(([, set]) => set),
      ...FROZEN.flatMap(([, state]) => ENDS.map(end => `${state}-${end}`)),
    ]);
  });

  afterAll(() => fleet?.stop());

  /** Edits the template in place, from the pull model to another one. */
  function leavePullModel(set: MovingSet) {
    return set.patch({
      spec: {
        template: {
          metadata: {
            labels: { [PULL_LABEL]: null },
            annotations: {
              [`${OCM}/ocm-managed-cluster`]: null,
              [`${OCM}/ocm-managed-cluster-app-namespace`]: null,
            },
          },
          spec: { destination: { server: null, name: '{{name}}' } },
        },
      },
    });
  }

  /** As RHACM's controllers do when they are switched off. */
  async function freeze(set: MovingSet) {
    for (const { metadata, spec } of await set.works()) {
      await fleet.testHub.admin.patch('works', metadata, {
        spec: {
          manifestConfigs: spec.manifestConfigs!.map(config => ({
            ...config,
            updateStrategy: { type: 'ReadOnly' },
          })),
        },
      });
    }
  }

  async function haveStrategy(set: MovingSet, strategy: string) {
    const works = await set.works();
    return works.every(
      ({ spec }) => spec.manifestConfigs?.[0].updateStrategy?.type === strategy,
    );
  }

  it.each(LABELS)(
    'nothing changes while the pull label is %j, and when it is back',
    async (label, name) => {
      const set = fleet.set(name);
      await set.patch({
        spec: { template: { metadata: { labels: { [PULL_LABEL]: label } } } },
      });
      await waitFor(async () => (await set.codes()).includes('AFC-121'));
      await waitFor(() => haveStrategy(set, 'ReadOnly'));
      // The hub’s Argo CD leaves the Application alone, so nothing delivers it.
      expect(await set.steps('cluster1')).toEqual([
        'placement done',
        'application done',
        'manifestwork paused AFC-121',
        'synced waiting',
        'healthy waiting',
      ]);
      expect(await set.clustersShown()).toEqual(
        expect.arrayContaining(CLUSTERS),
      );
      await set.patch({
        spec: { template: { metadata: { labels: { [PULL_LABEL]: 'true' } } } },
      });
      await waitFor(() => haveStrategy(set, 'ServerSideApply'));
      await waitFor(async () => (await set.codes()).length === 0);
      expect(set.lost()).toEqual([]);
    },
  );

  describe.each(FROZEN)('on the way out of the pull model, %s,', (_, state) => {
    async function leaving(end: string): Promise<MovingSet> {
      const set = fleet.set(`${state}-${end}`);
      if (state === 'frozen') {
        await freeze(set);
      }
      await leavePullModel(set);
      await waitFor(async () =>
        (await set.codes()).some(code => ['AFC-121', 'AFC-122'].includes(code)),
      );
      return set;
    }

    it('everything stays without an order', async () => {
      const set = await leaving('stays');
      await waitFor(() => haveStrategy(set, 'ReadOnly'));
      expect(await set.works()).toHaveLength(3);
      expect(set.lost()).toEqual([]);
    });

    it('Applications and workloads stay for argocd-agent', async () => {
      const set = await leaving('orphaned');
      await waitFor(async () =>
        (await set.lastError('cluster1')).endsWith('stays'),
      );
      await set.order('orphan');
      await waitFor(async () => (await set.works()).length === 0);
      await waitFor(
        async () => !(await set.lastError('cluster1')).endsWith('stays'),
      );
      expect(set.lost()).toEqual([]);
      expect(CLUSTERS.filter(cluster => !set.applicationOn(cluster))).toEqual(
        [],
      );
    });

    it('workloads stay for the push model', async () => {
      const set = await leaving('handed-over');
      await set.order('hand-over');
      await waitFor(async () => (await set.works()).length === 0);
      expect(set.lost()).toEqual([]);
      expect(CLUSTERS.filter(cluster => set.applicationOn(cluster))).toEqual(
        [],
      );
    });

    it('everything goes where that is ordered', async () => {
      const set = await leaving('removed');
      await set.order('remove');
      await waitFor(async () => (await set.works()).length === 0);
      await waitFor(() => CLUSTERS.every(set.isGoneFrom));
      expect([...set.lost()].sort()).toEqual(CLUSTERS);
    });
  });
});
