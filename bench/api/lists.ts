// The API's lists for callers with and without conditions: lists.ts CLUSTERS APPLICATIONSETS
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import {
  argocdFleetApplicationSetConditions,
  argocdFleetApplicationSetRules,
  createArgocdFleetApplicationSetConditionalDecision,
} from '../../plugins/argocd-fleet-node/src';
import {
  argocdFleetApplicationSetReadPermission,
  type ArgoApplicationSet,
} from '../../plugins/argocd-fleet-common/src';
import {
  managedCluster,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../plugins/argocd-fleet-backend/src/__testUtils__/objects';
import {
  createChangeFeed,
  createFleetFacts,
  createFleetViews,
  createRouter,
} from '../../plugins/argocd-fleet-backend/src/api';
import { createFleetReader } from '../../plugins/argocd-fleet-backend/src/fleet';
import { createUnconnectedCache, stored } from '../unconnectedCache';
import { cpuMs } from '../controllers/usage';
import { DEFAULT_PROPAGATION } from '../../plugins/argocd-fleet-backend/src/model/manifestwork';

const [clusters, applicationSets] = process.argv.slice(2).map(Number);

/** Clusters of each ApplicationSet. */
const SPREAD = 20;
/** An ApplicationSet in so many is of the small team. */
const SMALL_TEAM = 20;
const WARM_UP = 20;
const REQUESTS = 300;

/** Which of them a caller sees; each decision is made in this process, so that the policy itself costs nothing. */
const CALLERS = {
  unfiltered: undefined,
  'owner of all': ['group:default/large', 'group:default/small'],
  'owner of some': ['group:default/small'],
};

type Caller = keyof typeof CALLERS;

function createHub() {
  const { client, cache } = createUnconnectedCache();
  const reader = createFleetReader({
    cache,
    propagation: () => DEFAULT_PROPAGATION,
  });
  const writes = {
    key: '',
    grants: [],
    argocdNamespace: DEFAULT_PROPAGATION.argocdNamespace,
  };
  return { name: 'hub', client, cache, reader, writes, runners: [] };
}

type Hub = ReturnType<typeof createHub>;

/** Every ApplicationSet has the owner on the hub, in the way in which people write it. */
function fill({ cache }: Hub) {
  for (let index = 0; index < clusters; index += 1) {
    cache.applyWriteResult(
      'clusters',
      stored(managedCluster(`cluster-${index}`, { region: `r${index % 7}` })),
    );
  }
  for (let index = 0; index < applicationSets; index += 1) {
    const name = `set-${index}`;
    const made = stored(pullApplicationSet(name) as ArgoApplicationSet);
    const set = {
      ...made,
      metadata: {
        ...made.metadata,
        annotations: {
          'argocd-fleet/component-owner':
            index % SMALL_TEAM === 0 ? 'Small' : 'group:large',
        },
      },
    };
    cache.applyWriteResult('applicationSets', set);
    for (let place = 0; place < SPREAD; place += 1) {
      const cluster = `cluster-${(index * SPREAD + place * 37) % clusters}`;
      cache.applyWriteResult(
        'applications',
        stored(pullApplication(`${name}-${place}`, cluster, ownedBy(set))),
      );
    }
  }
}

const ALLOW = { result: AuthorizeResult.ALLOW } as const;

function decisionOf(caller: Caller) {
  const claims = CALLERS[caller];
  return claims
    ? createArgocdFleetApplicationSetConditionalDecision(
        argocdFleetApplicationSetReadPermission,
        argocdFleetApplicationSetConditions.isOwner({ claims }),
      )
    : ALLOW;
}

async function startApi(hub: Hub) {
  const feed = createChangeFeed();
  const facts = createFleetFacts({
    hubs: [hub],
    linkedEntities: { ownersOf: () => [] },
  });
  const rules = Object.values(argocdFleetApplicationSetRules);
  const router = await createRouter({
    hubs: [hub],
    views: createFleetViews({ hubs: [hub], listener: feed }),
    timelines: { transitions: async () => ({ items: [] }) },
    feed,
    facts,
    linkedEntities: { of: () => [], update: async () => {} },
    links: { refresh: async () => {} },
    portalFindings: () => [],
    componentFindings: { of: () => undefined },
    catalog: {},
    httpAuth: {
      credentials: async (request: express.Request) => ({
        principal: { caller: request.headers['x-caller'] },
      }),
    },
    permissions: {
      authorize: async (requests: readonly object[]) =>
        requests.map(() => ALLOW),
      authorizeConditional: async (
        requests: readonly { readonly permission: { readonly name: string } }[],
        { credentials }: { credentials: { principal: { caller: Caller } } },
      ) =>
        requests.map(({ permission }) =>
          permission.name === argocdFleetApplicationSetReadPermission.name
            ? decisionOf(credentials.principal.caller)
            : ALLOW,
        ),
    },
    permissionsRegistry: {
      getPermissionRuleset: () => ({
        getRuleByName: (name: string) => rules.find(rule => rule.name === name),
      }),
    },
    // What is not asked here is left out of the services.
  } as unknown as Parameters<typeof createRouter>[0]);
  const server = express().use(router).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function main() {
  const hub = createHub();
  fill(hub);
  const server = await startApi(hub);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function ask(path: string, caller: string) {
    const begun = performance.now();
    const cpuBefore = process.cpuUsage();
    const response = await fetch(`${origin}${path}`, {
      headers: { 'x-caller': caller },
    });
    const text = await response.text();
    const ms = performance.now() - begun;
    const cpu = cpuMs(cpuBefore);
    if (response.status !== 200) {
      throw new Error(`${path}: ${text}`);
    }
    return { ms, cpu, text };
  }

  const figures = [];
  for (const path of ['/applicationsets', '/clusters']) {
    const callers = Object.fromEntries(
      Object.keys(CALLERS).map(caller => [
        caller,
        { ms: [] as number[], cpu: [] as number[], items: 0, bytes: 0 },
      ]),
    );
    // In turn and with another one first each time, so that the machine and garbage collections disturb all alike.
    for (let count = 0; count <= WARM_UP + REQUESTS; count += 1) {
      const entries = Object.entries(callers);
      const first = count % entries.length;
      for (const [caller, figure] of [
        ...entries.slice(first),
        ...entries.slice(0, first),
      ]) {
        const { ms, cpu, text } = await ask(path, caller);
        if (count === WARM_UP) {
          figure.items = JSON.parse(text).items.length;
          figure.bytes = text.length;
        } else if (count > WARM_UP) {
          figure.ms.push(ms);
          figure.cpu.push(cpu);
        }
      }
    }
    figures.push({ path, callers });
  }
  server.close();
  await hub.client.close();
  process.send?.({ bench: figures });
  process.disconnect?.();
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
