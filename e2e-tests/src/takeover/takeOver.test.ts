import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedHub, type EmbeddedHub } from 'embedded-hub';
import { startHubFaults, type HubFaults } from 'hub-faults';
import {
  IN_LONG_RUN,
  numberOfCases,
} from '../../../plugins/argocd-fleet-backend/src/__testUtils__/randomCases';
import { HubClient } from '../hub/hubClient';
import { retry } from '../polling';
import {
  claimsOf,
  recordClaims,
  releaseExpiredClaims,
  type Claim,
} from './claims';
import {
  APPLICATION_NAMESPACE,
  CLUSTER_ANNOTATION,
  fleetObjects,
} from './fleet';
import {
  findPostgres,
  INSTALL_POSTGRES,
  startPostgres,
  type Postgres,
} from './postgres';
import { LIMIT_MS, startReplica, type Replica } from './replica';

const TASK = 'propagation-hub';
const CLUSTERS = ['one', 'two', 'three'];
const APPLICATIONS = 12;
const NAMES = ['a', 'b'] as const;
type Name = (typeof NAMES)[number];

/** How often the claim holder is killed. After a kill, as after a pause, its claim must expire, and it starts again. */
const KILLS = numberOfCases({ test: 0, long: 3 });

// Two whole portals start one after the other. The long run also waits for Backstage's own check for expired claims.
jest.setTimeout(300_000);

const programs = findPostgres();

// Two processes can only share a real database. Without one this suite is reported as skipped, and its name says
// what to install.
(programs ? describe : describe.skip)(
  `two backends on one PostgreSQL (${INSTALL_POSTGRES})`,
  () => {
    let folder: string;
    let hub: EmbeddedHub;
    let client: HubClient;
    let postgres: Postgres;
    const links = {} as Record<Name, HubFaults>;
    const replicas: Partial<Record<Name, Replica>> = {};
    /** The revision that every Application should have. */
    let revision = 'v0';

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-takeover-'));
      const kubeconfigPath = join(folder, 'kubeconfig');
      [postgres, hub] = await Promise.all([
        startPostgres(programs!),
        startEmbeddedHub({
          kubeconfigPath,
          snapshot: fleetObjects(CLUSTERS, APPLICATIONS),
        }),
      ]);
      client = await HubClient.connectWithFile(kubeconfigPath);
      for (const name of NAMES) {
        links[name] = await startHubFaults({
          target: { kubeconfig: hub.kubeconfig(name) },
        });
        // The tokens distinguish the replicas in the hub's request log.
        writeFileSync(kubeconfigOf(name), links[name].kubeconfig());
        await start(name);
        if (name === 'a') {
          await recordClaims(postgres, name);
          // Earlier writes have no recorded claim to compare with.
          hub.clearRequests();
        }
      }
    });

    afterAll(async () => {
      for (const name of NAMES) {
        await replicas[name]?.kill();
        await links[name]?.stop();
      }
      await hub?.stop();
      await postgres?.stop();
      rmSync(folder, { recursive: true });
    });

    afterEach(() => {
      // A failed test must not leave a paused replica to the next one.
      Object.values(replicas).forEach(replica => replica.resume());
    });

    function kubeconfigOf(name: Name) {
      return join(folder, `${name}.kubeconfig`);
    }

    async function start(name: Name) {
      replicas[name] = await startReplica({
        name,
        postgres,
        kubeconfig: kubeconfigOf(name),
        folder,
      });
    }

    /** Sets the revision of every Application. */
    async function changeRevision(newRevision: string) {
      revision = newRevision;
      for (let index = 0; index < APPLICATIONS; index += 1) {
        await client.patch(
          'applications',
          APPLICATION_NAMESPACE,
          `app-${index}`,
          {
            spec: { source: { targetRevision: newRevision } },
          },
        );
      }
    }

    /**
     * Throws unless every Application has exactly one ManifestWork with the expected revision, and no other works
     * exist.
     */
    async function expectDelivered() {
      const applications = await client.list('applications');
      const works = await client.list('manifestworks');
      const delivered = works.map(({ metadata, spec }) => ({
        work: `${metadata.namespace}/${metadata.name}`,
        revision: spec.workload.manifests[0].spec.source.targetRevision,
      }));
      const expected = applications.map(({ metadata }) => ({
        work: `${metadata.annotations?.[CLUSTER_ANNOTATION]}/${metadata.name}-${metadata.uid.slice(0, 5)}`,
        revision,
      }));
      const byWork = (a: { work: string }, b: { work: string }) =>
        a.work < b.work ? -1 : 1;
      expect(delivered.sort(byWork)).toEqual(expected.sort(byWork));
    }

    async function currentHolder(): Promise<Name> {
      const claims = await claimsOf(postgres, TASK);
      const process = claims.find(claim => !claim.until)?.process;
      expect(NAMES).toContain(process);
      return process as Name;
    }

    /**
     * Repeats the check until it passes. Backstage's own check for expired claims would take up to a minute: only the
     * long run waits for it.
     */
    const eventually = <T>(check: () => Promise<T>) =>
      retry(
        async () => {
          if (!IN_LONG_RUN) {
            await releaseExpiredClaims(postgres);
          }
          return check();
        },
        { limitMs: LIMIT_MS },
      );

    /** The replica that holds the claim, once one does. */
    const claimHolder = () => eventually(currentHolder);

    /** Successful writes to works by a replica that did not hold the claim at that time. */
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
            // Requests in flight when their sender was paused arrive after it resumes and fail, since their
            // resourceVersion is outdated.
            status < 400 &&
            !holds(token, at),
        )
        .map(({ verb, namespace, name, token, at, status }) => ({
          write: `${verb} ${namespace}/${name}: ${status}`,
          replica: token,
          at,
        }));
    }

    it('deliver every Application once', async () => {
      await eventually(expectDelivered);
      expect(await writesWithoutClaim()).toEqual([]);
    });

    if (KILLS > 0) {
      it.each(Array.from({ length: KILLS }, (_, index) => index + 1))(
        'continue on the other replica after kill %d',
        async kill => {
          const killed = await claimHolder();
          await replicas[killed]!.kill();
          const killedAt = new Date();
          await changeRevision(`killed-${kill}`);
          await eventually(expectDelivered);
          const claims = await claimsOf(postgres, TASK);
          expect(
            claims.filter(
              ({ process, from }) => process === killed && from > killedAt,
            ),
          ).toEqual([]);
          await start(killed);
          expect(await writesWithoutClaim()).toEqual([]);
        },
      );
    }

    it('write nothing from a replica that is paused and resumes after the other one has taken over', async () => {
      // Pauses the claim holder during its work, if possible.
      const changed = changeRevision('paused');
      const paused = await pauseClaimHolder();
      await changed;
      // Delivery alone is not enough: the claim holder may have been done before it was paused.
      await eventually(async () => {
        expect(await currentHolder()).not.toBe(paused);
        await expectDelivered();
      });
      // All these events wait in its sockets when it resumes.
      await changeRevision('taken-over');
      await eventually(expectDelivered);
      const resumedAt = new Date();
      replicas[paused]!.resume();
      await changeRevision('resumed');
      await eventually(async () => {
        const claims = await claimsOf(postgres, TASK);
        const claimsAfterResume = claims.filter(
          ({ process, from }) => process === paused && from > resumedAt,
        );
        expect(claimsAfterResume).not.toEqual([]);
      });
      await eventually(expectDelivered);
      expect(await writesWithoutClaim()).toEqual([]);
    });

    it('continue on the other replica when the claim holder cannot reach the hub', async () => {
      const cutOff = await claimHolder();
      await links[cutOff].down();
      await changeRevision('cut-off');
      await eventually(expectDelivered);
      await links[cutOff].up();
      await changeRevision('reconnected');
      await eventually(expectDelivered);
      expect(await writesWithoutClaim()).toEqual([]);
    });

    /** Pauses a replica while it holds the claim, which it then can neither use nor release. */
    async function pauseClaimHolder(): Promise<Name> {
      for (;;) {
        const name = await claimHolder();
        replicas[name]!.pause();
        if ((await claimsOf(postgres, TASK)).at(-1)?.until === undefined) {
          return name;
        }
        replicas[name]!.resume();
      }
    }
  },
);
