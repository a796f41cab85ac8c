import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  RELEASES,
} from 'backstage-plugin-argocd-fleet-common';
import { describeGarbageCollected } from '../../__testUtils__/hubFixture';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  CLUSTERS,
  NAMESPACE,
  startMovingFleet,
  type MovingFleet,
} from './__testUtils__/movingFleet';

/** What stays on each cluster. */
const STAYS = {
  orphan: { application: true, workload: true },
  'hand-over': { application: false, workload: true },
  remove: { application: false, workload: false },
};

/** Without a garbage collector, nothing deletes the Applications of an ApplicationSet that is gone. */
describeGarbageCollected('an ApplicationSet of the portal', () => {
  let fleet: MovingFleet;

  beforeAll(async () => {
    fleet = await startMovingFleet([...RELEASES]);
  });

  afterAll(() => fleet?.stop());

  it.each(RELEASES)('is retired with the order %s', async release => {
    const set = fleet.set(release);
    await set.patch({
      metadata: { labels: { [MANAGED_BY_LABEL]: MANAGED_BY } },
    });
    const path = `/applicationsets/hub/${NAMESPACE}/${release}`;

    const early = await fleet.send('delete', path);
    expect([early.status, early.body.error.message]).toEqual([
      409,
      expect.stringContaining('is not deleted: it is not stored'),
    ]);

    await waitFor(async () => {
      const { status, body } = await fleet.send('put', `${path}/release`, {
        release,
      });
      expect(status).toBe(200);
      return body.stored === true;
    });
    expect((await fleet.send('delete', path)).status).toBe(200);
    // It has no more to do than to wait.
    expect([200, 404]).toContain((await fleet.send('delete', path)).status);
    await waitFor(async () => (await fleet.send('get', path)).status === 404);

    expect(await set.works()).toEqual([]);
    expect(await set.applications()).toEqual([]);
    const { application, workload } = STAYS[release];
    expect([...set.lost()].sort()).toEqual(workload ? [] : CLUSTERS);
    expect(CLUSTERS.map(set.runs)).toEqual(CLUSTERS.map(() => workload));
    expect(
      CLUSTERS.map(cluster => set.applicationOn(cluster) !== undefined),
    ).toEqual(CLUSTERS.map(() => application));
  });
});
