import type { ControllerList } from 'backstage-plugin-argocd-fleet-common';
import { mockCredentials } from '@backstage/backend-test-utils';
import fc from 'fast-check';
import request from 'supertest';
import { CRDS } from '../../__testUtils__/emptyHub';
import type { TestHub } from '../../__testUtils__/hubFixture';
import { managedServiceAccountDefinition } from '../../__testUtils__/objects';
import { numberOfCases, SEED } from '../../__testUtils__/randomCases';
import { waitFor } from '../../__testUtils__/waitFor';
import { FLEET_RESOURCES } from '../../fleet/resources';
import { accountWith, type Account } from './__testUtils__/accounts';
import { maxTurn, startCpuTurns } from './__testUtils__/cpuTurns';
import {
  FUZZED_RESOURCES,
  FUZZ_LABEL,
  fuzzedObjects,
  type FuzzedObject,
} from './__testUtils__/fuzzedObject';
import { hubPath } from './__testUtils__/paths';
import { BASE } from './__testUtils__/api';
import {
  ADMINISTRATOR_HEADER,
  startTwoTenants,
  TWO_TENANTS,
  type TwoTenants,
} from './__testUtils__/twoTenants';

// The objects of the long run take minutes.
jest.setTimeout(600_000);

const OBJECTS = numberOfCases({ test: 250, long: 10_000 });
const BATCH = 1_250;
const IN_FLIGHT = 8;

const TENANTS = TWO_TENANTS.map(tenant => ({
  ...tenant,
  cluster: `${tenant.namespace}-cluster`,
}));

describe(`a hub with random objects (seed ${SEED})`, () => {
  let tenants: TwoTenants;
  let admin: Account;

  beforeAll(async () => {
    tenants = await startTwoTenants(openDefinitions);
    admin = accountWith(tenants.testHub.adminKubeconfigPath);
  });

  afterAll(async () => {
    await admin?.close();
    await tenants?.stop();
  });

  /** Answers of all routes that need no existing object, and of the teams' own. */
  async function answers({ namespace, cluster, user }: (typeof TENANTS)[0]) {
    const api = request(tenants.backend.server);
    const paths = [
      ...['applicationsets', 'clusters', 'inventory', 'placement-options'],
      `applicationsets/hub/${namespace}/shop`,
      `applicationsets/hub/${namespace}/shop/rows`,
      `applicationsets/hub/${namespace}/shop/transitions`,
      `applications/hub/${namespace}/shop-app`,
      `applications/hub/${namespace}/shop-app/transitions`,
      `clusters/hub/${cluster}/transitions`,
      `placement-previews/hub/${namespace}?clusterSets=set-${namespace}`,
    ];
    return Promise.all(
      paths.map(async path => {
        const { status, text } = await api
          .get(`${BASE}/${path}`)
          .set('authorization', mockCredentials.user.header(user));
        return { path, status, text };
      }),
    );
  }

  /** Every controller ends a pass that began after the call. */
  async function untilPassesEnd() {
    const seen = new Map<string, Set<string | undefined>>();
    await waitFor(async () => {
      const { body } = await request(tenants.backend.server)
        .get(`${BASE}/controllers`)
        .set('authorization', ADMINISTRATOR_HEADER);
      return (body as ControllerList).items.every(
        ({ controller, lastPassAt }) => {
          const times = seen.get(controller) ?? new Set();
          seen.set(controller, times.add(lastPassAt));
          return times.size > 2;
        },
      );
    });
  }

  async function inParallel<T>(
    items: readonly T[],
    work: (item: T) => Promise<void>,
  ) {
    let next = 0;
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        while (next < items.length) {
          const item = items[next];
          next += 1;
          await work(item);
        }
      }),
    );
  }

  /** Removes all objects of a batch, with a few requests. */
  async function removeAll(batch: readonly FuzzedObject[]) {
    const collections = new Set(
      batch.map(({ resource, object: { metadata } }) =>
        hubPath(resource, { namespace: metadata.namespace }),
      ),
    );
    await inParallel([...collections], async path => {
      const { status } = await admin.send(
        'DELETE',
        `${path}?labelSelector=${FUZZ_LABEL}`,
      );
      expect(status).toBe(200);
    });
  }

  it('keeps every controller running, every answer and every team’s own objects, and nothing stalls', async () => {
    const turns = startCpuTurns();
    const make = fc.sample(fuzzedObjects(TENANTS), {
      seed: SEED,
      numRuns: OBJECTS,
    });
    const rejected: string[] = [];
    const slow: object[] = [];

    async function create({ resource, object }: FuzzedObject) {
      const { namespace, name } = object.metadata;
      const path = hubPath(resource, { namespace });
      const created = await admin.send('POST', path, object);
      // Of some objects, one name is read and no other.
      const { status, text } =
        created.status === 409
          ? await admin.send(
              'PUT',
              hubPath(resource, { namespace, name }),
              object,
            )
          : created;
      if (status >= 300) {
        rejected.push(`${resource}: ${status} ${text}`);
      }
    }

    async function play(batch: readonly FuzzedObject[]): Promise<number> {
      turns.longest();
      await inParallel(batch, create);
      await untilPassesEnd();
      for (const tenant of TENANTS) {
        const wrong = (await answers(tenant)).filter(
          ({ status, text }) =>
            status !== 200 ||
            TENANTS.some(
              other => other !== tenant && text.includes(other.secret),
            ),
        );
        expect(wrong).toEqual([]);
      }
      // The hub, in this process, removes many objects at once.
      const longest = turns.longest();
      await removeAll(batch);
      return longest;
    }

    for (let from = 0; from < OBJECTS; from += BATCH) {
      const batch = make
        .slice(from, from + BATCH)
        .map((build, index) => build(from + index));
      let longest = await play(batch);
      // What the objects cause, they cause again; a garbage collection or a compilation they do not.
      for (let again = 0; again < 2 && longest > maxTurn(); again += 1) {
        longest = await play(batch);
      }
      if (longest > maxTurn()) {
        slow.push({ from, longest });
      }
    }
    turns.stop();
    expect(slow).toEqual([]);
    // Otherwise the hub would have protected the backend.
    expect(rejected.length).toBeLessThan(OBJECTS * 0.05);
  });
});

/**
 * Lets the hub accept any object, as one whose definitions are older or are made by hand does; status is a part of the
 * object, so that one request writes both.
 */
async function openDefinitions({ admin, provideCrd }: TestHub) {
  await provideCrd(managedServiceAccountDefinition());
  const fuzzed = FUZZED_RESOURCES.map(name => FLEET_RESOURCES[name]);
  const { items } = await admin.client.list(CRDS);
  for (const { metadata, spec } of items) {
    const { group, names } = spec;
    const isFuzzed = fuzzed.some(
      it => it.group === group && it.plural === names.plural,
    );
    if (isFuzzed) {
      const versions = spec.versions.map(
        ({ subresources: _, ...version }: any) => ({
          ...version,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
        }),
      );
      await admin.client.patch(
        CRDS,
        { name: metadata.name },
        { spec: { versions } },
      );
    }
  }
}
