import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedHub, type EmbeddedHub } from 'embedded-hub';
import { waitFor } from '../../__testUtils__/waitFor';
import { churn, diceOf, type Dice } from './__testUtils__/churn';
import { expectConverged } from './__testUtils__/expectConverged';
import { contentOfWork, type HubContents } from './__testUtils__/expectedWorks';
import { createFleetOnHub, type FleetOnHub } from './__testUtils__/fleetOnHub';
import type { Event } from './__testUtils__/history';
import {
  loadControllers,
  type MortalControllers,
} from './__testUtils__/mortalControllers';
import { wrongDeletions } from './__testUtils__/wrongDeletions';

jest.setTimeout(600_000);

const KILLS = 47;
const EVENTS_BETWEEN_KILLS = 7;
const CLUSTERS = ['one', 'two', 'three', 'four', 'five', 'six'];
const LAYOUT = {
  applications: Array.from({ length: 60 }, (_, index) => ({
    namespace: index % 2 ? 'tenant-a' : 'tenant-b',
    name: `app-${index}`,
  })),
  clusters: CLUSTERS,
  decided: CLUSTERS,
};
/** When a process that has nothing left to do is killed after all, in milliseconds. */
const LATEST = 1_500;
const WRITES = ['create', 'patch', 'delete'];

const seed = Number(process.env.ARGOCD_FLEET_SEED ?? Date.now() % 1_000_000);

/** The moment of a kill: at some request, at some write, or at any time at all. */
function momentOf(hub: EmbeddedHub, dice: Dice): () => Promise<unknown> {
  const kind = dice();
  const place = dice();
  const from = hub.requests.length;
  const passed = (verbs: readonly string[] | undefined) =>
    hub.requests
      .slice(from)
      .filter(
        ({ userAgent, verb }) =>
          userAgent === 'argocd-fleet' && (!verbs || verbs.includes(verb)),
      ).length;
  if (kind < 0.2) {
    return () => pause(place * LATEST);
  }
  const [verbs, most] = kind < 0.5 ? [undefined, 60] : [WRITES, 15];
  return async () => {
    const latest = Date.now() + LATEST;
    while (passed(verbs) <= place * most && Date.now() < latest) {
      await pause(1);
    }
  };
}

/** What is on the hub, without what differs from one hub to the next. */
function portrait({ applications, works }: HubContents) {
  const anonymous = (uid: string | undefined, text: string) =>
    text.replace(uid?.slice(0, 5) ?? '', 'uid');
  return {
    applications: applications.map(({ metadata, spec, operation }) => ({
      name: metadata.name,
      labels: metadata.labels,
      annotations: metadata.annotations,
      finalizers: metadata.finalizers,
      spec,
      operation,
    })),
    works: works
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

describe(`controllers that are killed (seed ${seed})`, () => {
  let folder: string;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-kills-'));
  });

  afterAll(async () => {
    for (const close of closing.reverse()) {
      await close();
    }
    await rm(folder, { recursive: true });
  });

  async function start(name: string) {
    const kubeconfigPath = join(folder, name);
    const hub = await startEmbeddedHub({ kubeconfigPath });
    closing.push(() => hub.stop());
    const fleet = createFleetOnHub(hub, LAYOUT);
    await fleet.prepare();
    const load = async (): Promise<MortalControllers> => {
      const controllers = await loadControllers(kubeconfigPath);
      closing.push(controllers.kill);
      return controllers;
    };
    return { hub, fleet, load };
  }

  async function converged(fleet: FleetOnHub): Promise<HubContents> {
    return waitFor(async () => {
      const contents = await fleet.contents();
      expectConverged(contents, fleet.timeline);
      const leaving = contents.applications.filter(
        ({ metadata }) => metadata.deletionTimestamp,
      );
      expect(leaving).toEqual([]);
      expect(contents.applications.filter(each => each.operation)).toEqual([]);
      return contents;
    }, 120_000);
  }

  it(`leave nothing wrong behind when they are killed ${KILLS} times while their fleet changes`, async () => {
    const dice = diceOf(seed);
    const day = churn(dice, LAYOUT.applications.length, CLUSTERS);
    const events: Event[] = [];
    const { hub, fleet, load } = await start('disturbed');
    let loading = load();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const controllers = await loading;
      loading = load();
      const moment = momentOf(hub, dice);
      controllers.begin();
      const changes = (async () => {
        for (let count = 0; count < EVENTS_BETWEEN_KILLS; count += 1) {
          const event = day.next().value;
          events.push(event);
          await fleet.happen(event);
        }
      })();
      await moment();
      await controllers.kill();
      await changes;
    }
    (await loading).begin();
    const disturbed = await converged(fleet);
    expect(wrongDeletions(hub.requests, fleet.timeline)).toEqual([]);

    const other = await start('undisturbed');
    (await other.load()).begin();
    for (const event of events) {
      await other.fleet.happen(event);
    }
    expect(portrait(disturbed)).toEqual(portrait(await converged(other.fleet)));
  });
});
