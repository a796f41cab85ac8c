import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedHub, type EmbeddedHub } from 'embedded-hub';
import { startHubFaults, type HubFaults } from 'hub-faults';
import { HubAccess } from '../../hub';
import { auditClaims, claimsOf, type Claim } from './claims';
import { fleetObjects, TARGET, TENANT } from './fleet';
import {
  findPostgres,
  INSTALL_POSTGRES,
  startPostgres,
  type Postgres,
} from './postgres';
import { startReplica, TAKE_OVER_MS, type Replica } from './replica';

const TASK = 'propagation-hub';
const CLUSTERS = ['one', 'two', 'three'];
const APPLICATIONS = 12;
const NAMES = ['a', 'b'] as const;
type Name = (typeof NAMES)[number];

/** Kills of the writer; each takes minutes, which `npm run test:real-hub` has. */
const KILLS = Number(process.env.ARGOCD_FLEET_TEST_KILLS ?? 0);
/** For a machine that is busy with other things, on top of the time that is promised. */
const PATIENCE_MS = 30_000;

const programs = findPostgres();

// Claims of two processes meet in a real database only; where there is none this is skipped and counted, and the name says what to install.
(programs ? describe : describe.skip)(
  `two backends on one PostgreSQL (without one: ${INSTALL_POSTGRES}; the kills: ARGOCD_FLEET_TEST_KILLS=3)`,
  () => {
    let folder: string;
    let hub: EmbeddedHub;
    let access: HubAccess;
    let postgres: Postgres;
    const links = {} as Record<Name, HubFaults>;
    const replicas: Partial<Record<Name, Replica>> = {};
    /** The revision that every Application is to have by now. */
    let revision = 'v0';

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-takeover-'));
      postgres = await startPostgres(programs!);
      const kubeconfigPath = join(folder, 'kubeconfig');
      hub = await startEmbeddedHub({
        kubeconfigPath,
        snapshot: fleetObjects(CLUSTERS, APPLICATIONS),
      });
      access = await HubAccess.of(kubeconfigPath);
      for (const name of NAMES) {
        links[name] = await startHubFaults({
          target: { kubeconfig: hub.kubeconfig(name) },
        });
        // The token is what tells one from the other in the hub's log.
        writeFileSync(join(folder, name), links[name].kubeconfig());
        await start(name);
        if (name === 'a') {
          await auditClaims(postgres, name);
          // What was written before nobody can judge.
          hub.clearRequests();
        }
      }
    }, 600_000);

    afterAll(async () => {
      for (const name of NAMES) {
        await replicas[name]?.kill();
        await links[name]?.stop();
      }
      await hub?.stop();
      await postgres?.stop();
      rmSync(folder, { recursive: true });
    }, 60_000);

    afterEach(() => {
      // A test that failed must not leave the next one with half of what it needs.
      Object.values(replicas).forEach(replica => replica.thaw());
    });

    async function start(name: Name) {
      replicas[name] = await startReplica({
        name,
        postgres,
        kubeconfig: join(folder, name),
        folder,
      });
    }

    /** Somebody changes every Application. */
    async function change(to: string) {
      revision = to;
      for (let index = 0; index < APPLICATIONS; index += 1) {
        await access.patch('applications', TENANT, `app-${index}`, {
          spec: { source: { targetRevision: to } },
        });
      }
    }

    /** Throws where not every Application has one work, as it is to be, and nothing else is there. */
    async function expectDelivered() {
      const applications = await access.list('applications');
      const works = await access.list('manifestworks');
      const delivered = works.map(({ metadata, spec }) => ({
        place: `${metadata.namespace}/${metadata.name}`,
        revision: spec.workload.manifests[0].spec.source.targetRevision,
      }));
      const expected = applications.map(({ metadata }) => ({
        place: `${metadata.annotations?.[TARGET]}/${metadata.name}-${metadata.uid.slice(0, 5)}`,
        revision,
      }));
      const byPlace = (a: { place: string }, b: { place: string }) =>
        a.place < b.place ? -1 : 1;
      expect(delivered.sort(byPlace)).toEqual(expected.sort(byPlace));
    }

    async function holder(): Promise<Name> {
      const claims = await claimsOf(postgres, TASK);
      const process = claims.find(claim => !claim.until)?.process;
      expect(NAMES).toContain(process);
      return process as Name;
    }

    /** Resolves once somebody holds the claim, with who does. */
    const writer = () => eventually(holder, PATIENCE_MS);

    /** Writes to works that the hub was asked for by somebody who did not hold the claim at that moment. */
    async function writesWithoutClaim() {
      const claims = await claimsOf(postgres, TASK);
      const holds = (token: string | undefined, at: Date) =>
        claims.some(
          ({ process, from, until }: Claim) =>
            process === token && from <= at && (!until || at <= until),
        );
      return hub.requests
        .filter(
          ({ resource, verb, token, at, status }) =>
            resource === 'manifestworks' &&
            ['create', 'patch', 'update', 'delete'].includes(verb) &&
            // What was on its way when its sender was stopped arrives when it wakes up; the version that it was meant for is gone.
            status < 400 &&
            !holds(token, at),
        )
        .map(({ verb, namespace, name, token, at, status }) => ({
          write: `${verb} ${namespace}/${name}: ${status}`,
          by: token,
          at,
        }));
    }

    it('has one of them deliver everything', async () => {
      await eventually(expectDelivered, PATIENCE_MS);
      expect(await writesWithoutClaim()).toEqual([]);
    }, 60_000);

    // Each kill waits for the scheduler's own minute; they are asked for, and skipped and counted otherwise.
    (KILLS > 0 ? describe : describe.skip)(`killed ${KILLS} times`, () => {
      it(
        'have the other one take over each time',
        async () => {
          for (let kill = 1; kill <= KILLS; kill += 1) {
            const killed = await writer();
            await replicas[killed]!.kill();
            const died = new Date();
            await change(`killed-${kill}`);
            await eventually(expectDelivered, TAKE_OVER_MS + PATIENCE_MS);
            const claims = await claimsOf(postgres, TASK);
            expect(
              claims.filter(
                ({ process, from }) => process === killed && from > died,
              ),
            ).toEqual([]);
            await start(killed);
          }
          expect(await writesWithoutClaim()).toEqual([]);
        },
        KILLS * (TAKE_OVER_MS + 300_000),
      );
    });

    it(
      'has a writer that was stopped, and wakes up when another one has taken over, write nothing',
      async () => {
        // In the middle of its work, if it can be.
        const changed = change('frozen');
        const frozen = await freezeWriter();
        await changed;
        // Not only that all is delivered: the writer may have been done with it when it was stopped.
        await eventually(async () => {
          expect(await holder()).not.toBe(frozen);
          await expectDelivered();
        }, TAKE_OVER_MS + PATIENCE_MS);
        // All of that waits in its sockets when it wakes up.
        await change('taken-over');
        await eventually(expectDelivered, PATIENCE_MS);
        const woken = new Date();
        replicas[frozen]!.thaw();
        await change('woken');
        await eventually(async () => {
          const claims = await claimsOf(postgres, TASK);
          const again = claims.filter(
            ({ process, from }) => process === frozen && from > woken,
          );
          expect(again).not.toEqual([]);
        }, TAKE_OVER_MS + PATIENCE_MS);
        await eventually(expectDelivered, PATIENCE_MS);
        expect(await writesWithoutClaim()).toEqual([]);
      },
      3 * TAKE_OVER_MS + 200_000,
    );

    it(
      'has the other one take over when the writer no longer reaches the hub',
      async () => {
        const cutOff = await writer();
        await links[cutOff].down();
        await change('cut-off');
        await eventually(expectDelivered, TAKE_OVER_MS + PATIENCE_MS);
        await links[cutOff].up();
        await change('together-again');
        await eventually(expectDelivered, TAKE_OVER_MS + PATIENCE_MS);
        expect(await writesWithoutClaim()).toEqual([]);
      },
      2 * TAKE_OVER_MS + 200_000,
    );

    /** Stops the writer while it holds the claim, which it then can neither use nor give back. */
    async function freezeWriter(): Promise<Name> {
      for (;;) {
        const name = await writer();
        replicas[name]!.freeze();
        if ((await claimsOf(postgres, TASK)).at(-1)?.until === undefined) {
          return name;
        }
        replicas[name]!.thaw();
      }
    }
  },
);

/** Waits until the check holds or answers; fails with its last complaint. */
async function eventually<T>(
  check: () => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) {
        throw error;
      }
    }
    await new Promise(resolve => {
      setTimeout(resolve, 100);
    });
  }
}
