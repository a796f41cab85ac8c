import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import {
  describeGarbageCollected,
  type AdminClient,
} from '../../__testUtils__/hubFixture';
import { deleteOrphaning } from '../../__testUtils__/orphaningDelete';
import { waitFor } from '../../__testUtils__/waitFor';
import { isKubernetesError } from '../../kubernetes/client/errors';
import {
  CLUSTERS,
  NAMESPACE,
  startMovingFleet,
  type Backup,
  type MovingFleet,
  type MovingSet,
} from './__testUtils__/movingFleet';

/** Each test has an ApplicationSet for itself, all on one hub. */
const RESTORES = [
  ['new', 'the Applications', 'applications-first'],
  ['old', 'the Applications', 'known-before'],
  ['new', 'the ApplicationSet', 'set-first'],
] as const;
const UNKNOWN_OWNER = 'never-seen';
const ONLY = { namespace: NAMESPACE, name: 'only' };

/**
 * Objects that a backup tool restores have new UIDs, and their owner references name the UID of before. So the garbage
 * collector deletes Applications that were restored before their ApplicationSet.
 */
describeGarbageCollected('on the managed clusters of a restored hub', () => {
  let fleet: MovingFleet;
  let admin: AdminClient;

  beforeAll(async () => {
    fleet = await startMovingFleet([
      ...RESTORES.map(([, , name]) => name),
      UNKNOWN_OWNER,
    ]);
    ({ admin } = fleet.testHub);
  });

  afterAll(() => fleet?.stop());

  /** Removes the set and its Applications without anybody's notice, as if the hub had never had them. */
  async function lose({ applicationSet, applications }: Backup) {
    const { metadata } = applicationSet;
    await deleteOrphaning(
      fleet.testHub.adminKubeconfigPath,
      'applicationSets',
      metadata,
    );
    await waitFor(
      async () => (await admin.get('applicationSets', metadata)) === undefined,
    );
    for (const application of applications) {
      await admin.patch('applications', application.metadata, {
        metadata: { finalizers: null },
      });
      await admin.delete('applications', application.metadata);
    }
  }

  async function restoreApplications(applications: readonly ArgoApplication[]) {
    for (const application of applications) {
      await admin.create('applications', application).catch(error => {
        // Backup tools leave what exists as it is.
        if (!isKubernetesError(error, 'alreadyExists')) {
          throw error;
        }
      });
    }
  }

  /** Without the backend, Applications that are being deleted keep their finalizers. */
  function untilCollected(name: string) {
    return waitFor(async () => {
      const applications = await fleet.set(name).applications();
      return applications.every(({ metadata }) => metadata.deletionTimestamp);
    });
  }

  it.each(RESTORES)(
    'the workload runs all the time: with the %s database, %s first',
    async (database, first, name) => {
      const set = fleet.set(name);
      const backup = await fleet.backUp(name);
      const old = await set.works();
      await fleet.stopBackend();
      await lose(backup);
      if (first === 'the Applications') {
        await restoreApplications(backup.applications);
        await untilCollected(name);
        await admin.create('applicationSets', backup.applicationSet);
      } else {
        await admin.create('applicationSets', backup.applicationSet);
        await waitFor(
          async () =>
            (await set.applications()).length === backup.applications.length,
        );
        await restoreApplications(backup.applications);
      }
      fleet.testHub.clearRequests();
      await fleet.startBackend(database);
      const uids = old.map(({ metadata }) => metadata.uid!);
      await waitFor(async () => {
        const now = await set.workUids();
        return now.length === 3 && !now.some(uid => uids.includes(uid));
      });
      await waitFor(async () => (await set.codes()).length === 0);
      expect(set.lost()).toEqual([]);
      for (const { metadata } of old) {
        const { namespace, name: work } = metadata;
        const writes = fleet.testHub
          .writes()
          .filter(write =>
            [
              `create manifestworks ${namespace}`,
              `delete manifestworks ${namespace} ${work}`,
            ].includes(write),
          );
        expect([...new Set(writes)]).toEqual([
          // A create names no object.
          `create manifestworks ${namespace}`,
          `delete manifestworks ${namespace} ${work}`,
        ]);
      }
    },
  );

  it('works whose Applications name an owner that the hub never had are held', async () => {
    const set = fleet.set(UNKNOWN_OWNER);
    const backup = await fleet.backUp(UNKNOWN_OWNER);
    const old = await set.works();
    const before = await set.workUids();
    await fleet.stopBackend();
    await lose(backup);
    await restoreApplications(backup.applications);
    await untilCollected(UNKNOWN_OWNER);
    fleet.testHub.clearRequests();
    await fleet.startBackend('new');
    await waitFor(async () => (await fleet.hubCodes()).includes('AFC-126'));
    // Held are works, never Applications.
    await waitFor(async () => (await set.applications()).length === 0);
    await fleet.pass(2);
    expect(await fleet.hubCodes()).toEqual(['AFC-126']);
    expect(await set.workUids()).toEqual(before);
    expect(fleet.deletedWorks(old)).toEqual([]);

    // Its works take over from the held ones.
    await admin.create('applicationSets', backup.applicationSet);
    await waitFor(async () => {
      const now = await set.workUids();
      return now.length === 3 && !now.some(uid => before.includes(uid));
    });
    await waitFor(async () => (await fleet.hubCodes()).length === 0);
    expect(set.lost()).toEqual([]);
  });
});

describe('the only ApplicationSet of a hub', () => {
  let fleet: MovingFleet;
  let set: MovingSet;

  beforeAll(async () => {
    fleet = await startMovingFleet([ONLY.name]);
    set = fleet.set(ONLY.name);
  });

  afterAll(() => fleet?.stop());

  async function owners() {
    return (await set.applications()).flatMap(({ metadata }) =>
      (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    );
  }

  describeGarbageCollected('that is deleted with orphans', () => {
    it('loses nothing, also when it is made again', async () => {
      const { admin, adminKubeconfigPath } = fleet.testHub;
      const before = await set.workUids();
      const backup = await fleet.backUp(ONLY.name);
      fleet.testHub.clearRequests();

      await deleteOrphaning(adminKubeconfigPath, 'applicationSets', ONLY);
      await waitFor(
        async () => (await admin.get('applicationSets', ONLY)) === undefined,
      );
      expect(await owners()).toEqual([]);
      await fleet.pass(2);
      expect(await fleet.hubCodes()).toEqual([]);

      await admin.create('applicationSets', backup.applicationSet);
      const made = await admin.get('applicationSets', ONLY);
      expect(made?.metadata.uid).not.toBe(backup.uid);
      // Those of the three clusters, and that of the hub itself.
      await waitFor(
        async () =>
          (await owners()).join() === Array(4).fill(made!.metadata.uid).join(),
      );
      await fleet.pass(2);
      await waitFor(async () => (await set.codes()).length === 0);
      expect(await set.workUids()).toEqual(before);
      expect(
        fleet.testHub
          .writes()
          .filter(write => write.startsWith('delete manifestworks')),
      ).toEqual([]);
      expect(set.lost()).toEqual([]);
    });
  });

  it('takes everything along when it is deleted', async () => {
    await set.remove();
    await waitFor(() => CLUSTERS.every(set.isGoneFrom));
    await waitFor(async () => (await set.works()).length === 0);
    expect([...set.lost()].sort()).toEqual(CLUSTERS);
    // The finding that agents are removing works goes once the last of these events has arrived.
    await waitFor(async () => (await fleet.hubCodes()).length === 0);
  });
});
