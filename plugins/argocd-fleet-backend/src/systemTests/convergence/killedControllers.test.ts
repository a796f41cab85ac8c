import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { startEmbeddedHub } from 'embedded-hub';
import { numberOfCases, SEED } from '../../__testUtils__/randomCases';
import { waitFor } from '../../__testUtils__/waitFor';
import { churn, createRandom } from './__testUtils__/churn';
import { expectConverged } from './__testUtils__/expectConverged';
import {
  contentOfWork,
  expectationFor,
  ownerOf,
  type HubContents,
} from './__testUtils__/expectedWorks';
import { createFleetOnHub, type FleetOnHub } from './__testUtils__/fleetOnHub';
import type { FleetEvent } from './__testUtils__/history';
import {
  compileKillable,
  type KillableProcess,
  type KillableProgram,
} from './__testUtils__/killableProcess';
import { chooseKill } from './__testUtils__/killTimes';
import { wrongDeletions } from './__testUtils__/wrongDeletions';

// The kills of the long run take minutes.
jest.setTimeout(600_000);

const KILLS = numberOfCases({ test: 10, long: 47 });
const EVENTS_BETWEEN_KILLS = 7;
const CLUSTERS = ['one', 'two', 'three', 'four', 'five', 'six'];
const LAYOUT = {
  // They are all created before the first of them is changed.
  applications: Array.from(
    { length: numberOfCases({ test: 12, long: 60 }) },
    (_, index) => ({
      namespace: index % 2 ? 'tenant-a' : 'tenant-b',
      name: `app-${index}`,
    }),
  ),
  clusters: CLUSTERS,
  decided: CLUSTERS,
};
const REFRESH = 'argocd.argoproj.io/refresh';

function hasOneShotField({ metadata, operation }: ArgoApplication): boolean {
  return operation !== undefined || REFRESH in (metadata.annotations ?? {});
}

/** The Applications that must have a work. What else is there depends on whether they were delivered once. */
function deliveredOf(contents: HubContents): ArgoApplication[] {
  return contents.applications.filter(
    each => expectationFor(each, contents).kind === 'delivered',
  );
}

/**
 * The hub's contents without the UIDs and times that differ between hubs, and without what depends on when an
 * Application was last delivered that no longer is: its one-shot fields and its work.
 */
function comparable(contents: HubContents) {
  const { applications, works } = contents;
  const delivered = new Set(
    deliveredOf(contents).map(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    ),
  );
  const anonymous = (uid: string | undefined, text: string) =>
    text.replace(uid?.slice(0, 5) ?? '', 'uid');
  return {
    applications: applications.map(({ metadata, spec }) => ({
      name: metadata.name,
      labels: metadata.labels,
      annotations: { ...metadata.annotations, [REFRESH]: undefined },
      finalizers: metadata.finalizers,
      spec,
    })),
    works: works
      .filter(work => delivered.has(ownerOf(work) ?? ''))
      .map(work => {
        const owner = applications.find(({ metadata }) =>
          work.metadata.name.startsWith(`${metadata.name}-`),
        );
        const name = anonymous(owner?.metadata.uid, work.metadata.name);
        const { namespace } = work.metadata;
        return { namespace, name, content: contentOfWork(work) };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

describe(`controllers that are killed (seed ${SEED})`, () => {
  let folder: string;
  let program: KillableProgram;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-kills-'));
    program = await compileKillable('controllersProcess.ts');
  });

  afterAll(async () => {
    for (const close of closing.reverse()) {
      await close();
    }
    await program?.remove();
    await rm(folder, { recursive: true });
  });

  async function start(name: string) {
    const kubeconfigPath = join(folder, name);
    const hub = await startEmbeddedHub({ kubeconfigPath });
    closing.push(() => hub.stop());
    const fleet = createFleetOnHub(hub, LAYOUT);
    await fleet.prepare();
    const load = async (): Promise<KillableProcess> => {
      const controllers = await program.load([kubeconfigPath]);
      closing.push(controllers.kill);
      return controllers;
    };
    return { hub, fleet, load };
  }

  async function converged(fleet: FleetOnHub): Promise<HubContents> {
    return waitFor(async () => {
      await fleet.letAgentsWork();
      const contents = await fleet.contents();
      expectConverged(contents, fleet.timeline);
      const deleting = contents.applications.filter(
        ({ metadata }) => metadata.deletionTimestamp,
      );
      expect(deleting).toEqual([]);
      expect(deliveredOf(contents).filter(hasOneShotField)).toEqual([]);
      return contents;
    });
  }

  it(`reach the same state as others after ${KILLS} kills while their fleet changes`, async () => {
    const random = createRandom(SEED);
    const changesOfDay = churn(random, LAYOUT.applications.length, CLUSTERS);
    const events: FleetEvent[] = [];
    const { hub, fleet, load } = await start('disturbed');
    let loading = load();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const controllers = await loading;
      loading = load();
      const killIsDue = chooseKill(hub, random);
      controllers.begin();
      const changes = (async () => {
        for (let count = 0; count < EVENTS_BETWEEN_KILLS; count += 1) {
          const event = changesOfDay.next().value;
          events.push(event);
          await fleet.apply(event);
        }
      })();
      await killIsDue();
      await controllers.kill();
      await changes;
    }
    (await loading).begin();
    const disturbed = await converged(fleet);
    expect(wrongDeletions(hub.requests, fleet.timeline)).toEqual([]);

    const other = await start('undisturbed');
    (await other.load()).begin();
    for (const event of events) {
      await other.fleet.apply(event);
    }
    expect(comparable(disturbed)).toEqual(
      comparable(await converged(other.fleet)),
    );
  });
});
