/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import { get } from 'node:http';
import { mockCredentials } from '@backstage/backend-test-utils';
import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { pullApplicationSet } from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import { setOf } from './decide';
import type { HostileCase } from './hostileCase';
import { SHARED_CLUSTER, TENANT, VICTIM, VICTIMS_CLUSTER } from './places';
import { BASE, userHeader } from './api';
import type { Stage } from './stage';

/** What only the victim may read: words of it, which occur in no error that repeats the request. */
const SET = `/applicationsets/hub/${VICTIM}/shop`;
const APPLICATION = `/applications/hub/${VICTIM}/shop-${VICTIMS_CLUSTER}`;

async function ask({ api }: Stage, path: string, header = userHeader('tina')) {
  return api.get(`${BASE}${path}`).set('authorization', header);
}

/** One object of the victim: to the attacker it does not exist, or is forbidden. */
function unreadable(title: string, path: string): HostileCase {
  return {
    attacker: 'portal user',
    kind: 'reading',
    title,
    immediate: true,
    async attack(stage) {
      const { status, body } = await ask(stage, path);
      expect([403, 404]).toContain(status);
      expect(Object.keys(body)).not.toContain('applications');
      // As for an object that does not exist: nobody learns which names are taken.
      const missing = await ask(
        stage,
        path.replaceAll('shop', 'nope').replaceAll(VICTIM, 'nobody'),
      );
      expect(status).toBe(missing.status);
    },
  };
}

/** A timeline, which is also there for what is gone: it is as empty as that of an object that never was. */
function untold(title: string, path: string): HostileCase {
  return {
    attacker: 'portal user',
    kind: 'reading',
    title,
    immediate: true,
    async attack(stage) {
      const { body } = await ask(stage, path);
      const missing = await ask(stage, path.replaceAll('shop', 'nope'));
      expect(body).toEqual(missing.body);
      const own = await ask(stage, path, userHeader('victor'));
      expect(own.body.items.length).toBeGreaterThan(0);
    },
  };
}

/** A list: what is the victim's is not in it, and not counted. */
function unlisted(
  title: string,
  path: string,
  statuses = [200, 403],
): HostileCase {
  return {
    attacker: 'portal user',
    kind: 'reading',
    title,
    immediate: true,
    async attack(stage) {
      const { status, text } = await ask(stage, path);
      expect(statuses).toContain(status);
      expect(text).not.toContain('"shop"');
      expect(text).not.toContain(`shop-${VICTIMS_CLUSTER}`);
      // As a name; a label of a cluster that both may see has it too.
      expect(text).not.toContain(`"${VICTIM}"`);
      expect(text).not.toContain(`"${VICTIMS_CLUSTER}"`);
    },
  };
}

const READING: readonly HostileCase[] = [
  unreadable('reads the victim’s ApplicationSet', SET),
  unreadable('reads its rows', `${SET}/rows`),
  unreadable('reads its Application in detail', APPLICATION),
  untold('reads the timeline of its ApplicationSet', `${SET}/transitions`),
  untold('reads the timeline of its Application', `${APPLICATION}/transitions`),
  untold(
    'reads the timeline of its cluster',
    `/clusters/hub/${VICTIMS_CLUSTER}/transitions`,
  ),
  unlisted('finds it in the list of ApplicationSets', '/applicationsets'),
  unlisted('finds it in the list of clusters', '/clusters'),
  unlisted('finds it in the inventory', '/inventory'),
  unlisted('finds it in the options of a Placement', '/placement-options'),
  unlisted('finds it among the controllers’ findings', '/controllers'),
  unlisted(
    'finds it on a cluster that both use',
    `/clusters/hub/${SHARED_CLUSTER}/transitions`,
  ),
  unlisted(
    'previews a Placement of the victim’s clusters',
    `/placement-previews/hub/${TENANT}?clusterSets=${setOf(VICTIM)}`,
    [400],
  ),
  unlisted(
    'previews a Placement in the victim’s namespace',
    `/placement-previews/hub/${VICTIM}?clusterSets=${setOf(VICTIM)}`,
  ),
  {
    attacker: 'portal user',
    kind: 'reading',
    title: 'links its own entity to the victim’s ApplicationSet',
    immediate: true,
    async attack(stage) {
      const { status, body } = await ask(
        stage,
        '/entities/component/default/spy',
      );
      expect(status).toBe(200);
      expect(body.applicationSets).toEqual([]);
      expect(body.links.map(({ state }: any) => state)).not.toContain('found');
    },
  },
  {
    attacker: 'plugin',
    kind: 'reading',
    title: 'reads with the token of a user who may not',
    immediate: true,
    async attack(stage) {
      const header = `Bearer ${mockCredentials.user.token('user:default/tina', { actor: { subject: 'plugin:other' } })}`;
      const { status } = await ask(stage, SET, header);
      expect([403, 404]).toContain(status);
    },
  },
  {
    attacker: 'anyone',
    kind: 'reading',
    title: 'reads without signing in',
    immediate: true,
    async attack(stage) {
      for (const path of [SET, '/applicationsets', '/clusters', '/events']) {
        const { status, text } = await ask(
          stage,
          path,
          mockCredentials.none.header(),
        );
        expect([401, 403]).toContain(status);
        expect(text).not.toContain('"items"');
      }
    },
  },
  {
    attacker: 'anyone',
    kind: 'reading',
    title: 'signs in as a user whom the policy does not know',
    immediate: true,
    async attack(stage) {
      for (const path of [SET, '/applicationsets', '/clusters', '/inventory']) {
        const { text } = await ask(stage, path, userHeader('nobody'));
        expect(text).not.toContain(`"${VICTIM}"`);
      }
    },
  },
];

/** What a team's grant of the stage allows. */
function setBodyOf(team: string) {
  return {
    placement: 'all',
    destinationNamespace: team,
    source: { repoURL: `https://github.com/${team}/${team}.git`, path: 'x' },
    project: team,
    owner: 'user:default/tina',
  };
}

const setBody = setBodyOf('stall');

/** What a refusal says: that it is about the attack, and not about something else in the request. */
type Refusal = readonly [status: number, message: RegExp];

const MAY_NOT: Refusal = [403, /^You may not create /];

async function put(
  { api }: Stage,
  path: string,
  body: object,
): Promise<{ status: number; body: any }> {
  return api
    .put(`${BASE}${path}`)
    .set('authorization', userHeader('tina'))
    .send(body);
}

/** A write that must be refused, and reach no object. */
function unwritable(
  title: string,
  path: string,
  [status, message]: Refusal,
  body: object = setBody,
): HostileCase {
  return {
    attacker: 'portal user',
    kind: 'writing',
    title,
    immediate: true,
    async attack(stage) {
      const { admin } = stage.testHub;
      const before = await written(admin);
      const answer = await put(stage, path, body);
      expect(answer.body.error?.message).toMatch(message);
      expect(answer.status).toBe(status);
      expect(await written(admin)).toEqual(before);
    },
  };
}

async function written(admin: Stage['testHub']['admin']) {
  const lists = await Promise.all([
    admin.list('applicationSets'),
    admin.list('placements'),
  ]);
  return lists
    .flat()
    .map(({ metadata: { namespace, name, resourceVersion } }) =>
      [namespace, name, resourceVersion].join('/'),
    )
    .sort();
}

const inTenant = `/applicationsets/hub/${TENANT}/new`;

const WRITING: readonly HostileCase[] = [
  {
    attacker: 'portal user',
    kind: 'writing',
    title: 'writes what it may, so that the refusals have another reason',
    decidedByHub: true,
    immediate: true,
    async attack(stage) {
      const { admin } = stage.testHub;
      const { status, body } = await put(stage, inTenant, setBody);
      stage.afterwards(() =>
        admin.delete('applicationSets', { namespace: TENANT, name: 'new' }),
      );
      expect([status, body.result]).toEqual([200, 'created']);
    },
  },
  unwritable(
    'overwrites the victim’s ApplicationSet',
    SET,
    MAY_NOT,
    setBodyOf('shop'),
  ),
  unwritable(
    'empties the victim’s Placement',
    `/placements/hub/${VICTIM}/all`,
    MAY_NOT,
    {
      owner: 'user:default/tina',
      clusterSets: [setOf(VICTIM)],
      numberOfClusters: 1,
    },
  ),
  unwritable(
    'creates an ApplicationSet in the victim’s namespace',
    `/applicationsets/hub/${VICTIM}/new`,
    MAY_NOT,
    setBodyOf('shop'),
  ),
  unwritable(
    'creates one in the name of the victim',
    inTenant,
    [403, /^owner: group:default\/victims is neither you/],
    { ...setBody, owner: 'group:default/victims' },
  ),
  unwritable(
    'creates one for the victim’s Component',
    inTenant,
    [403, /^owner: group:default\/victims is neither you/],
    {
      ...setBody,
      owner: undefined,
      component: { name: 'shop', owner: 'group:default/victims' },
    },
  ),
  ...['kube-system', 'openshift', 'openshift-config', 'default'].map(
    namespace =>
      unwritable(
        `creates one in the namespace ${namespace}`,
        `/applicationsets/hub/${namespace}/new`,
        MAY_NOT,
      ),
  ),
  unwritable(
    'deploys into kube-system',
    inTenant,
    [403, /destinationNamespace: kube-system/],
    { ...setBody, destinationNamespace: 'kube-system' },
  ),
  unwritable(
    'deploys with the AppProject default',
    inTenant,
    [403, /project: the AppProject default is not allowed/],
    { ...setBody, project: 'default' },
  ),
  unwritable(
    'deploys with the AppProject of nobody in particular',
    inTenant,
    [403, /project: the AppProject default is not allowed/],
    { ...setBody, project: undefined },
  ),
  ...[
    'https://github.com/stall-evil/stall.git',
    'https://github.com/stall/../evil/x.git',
    'https://github.com/stall/%2e%2e/evil/x.git',
    'https://github.com@evil.example.com/stall/x.git',
    'ssh://github.com/stall/x.git',
  ].map(repoURL =>
    unwritable(
      `deploys from ${repoURL}`,
      inTenant,
      [403, /source\.repoURL: /],
      { ...setBody, source: { repoURL, path: 'x' } },
    ),
  ),
  unwritable(
    'deploys with the Placement of the victim',
    inTenant,
    [400, /placement/],
    { ...setBody, placement: `../${VICTIM}/all` },
  ),
  unwritable(
    'selects clusters of a set that it may not use',
    `/placements/hub/${TENANT}/new`,
    [403, /clusterSets: the cluster set set-victims is not allowed/],
    { owner: 'user:default/tina', clusterSets: [setOf(VICTIM)] },
  ),
  unwritable(
    'creates one in a namespace that looks like its own',
    `/applicationsets/hub/${TENANT}%20/new`,
    [400, /namespace/],
  ),
  unwritable(
    'climbs out of its namespace in the path',
    `/applicationsets/hub/${TENANT}%2f..%2f${VICTIM}/shop`,
    [400, /namespace/],
    setBodyOf('shop'),
  ),
  ...['applicationsets', 'placements'].map((kind): HostileCase => ({
    attacker: 'portal user',
    kind: 'writing',
    title: `takes over one of the ${kind} with our mark and no owner`,
    immediate: true,
    async attack(stage) {
      const { admin } = stage.testHub;
      const name = { namespace: TENANT, name: 'ownerless' };
      const labels = { [MANAGED_BY_LABEL]: MANAGED_BY };
      if (kind === 'placements') {
        await admin.create('placements', {
          apiVersion: 'cluster.open-cluster-management.io/v1beta1',
          kind: 'Placement',
          metadata: { ...name, labels },
          spec: { clusterSets: [setOf(TENANT)] },
        } as KubernetesObject);
        stage.afterwards(() => admin.delete('placements', name));
      } else {
        await admin.create('applicationSets', {
          ...pullApplicationSet(name.name),
          metadata: { ...name, labels },
        });
        stage.afterwards(() => admin.delete('applicationSets', name));
      }
      const before = await written(admin);
      const { status, body } = await put(
        stage,
        `/${kind}/hub/${TENANT}/ownerless`,
        kind === 'placements'
          ? {
              owner: 'user:default/tina',
              clusterSets: [setOf(TENANT)],
              numberOfClusters: 1,
            }
          : setBody,
      );
      expect(body.error?.message).toMatch(/has no recorded owner/);
      expect(status).toBe(403);
      expect(await written(admin)).toEqual(before);
    },
  })),
];

/** The texts that a stream sends until it ends. */
function listen({ backend }: Stage, user: string) {
  const state = { text: '', status: 0, ended: false };
  const request = get(
    {
      host: '127.0.0.1',
      port: backend.server.port(),
      path: `${BASE}/events`,
      headers: { authorization: userHeader(user) },
    },
    response => {
      state.status = response.statusCode ?? 0;
      response.on('data', chunk => {
        state.text += chunk;
      });
      response.on('end', () => {
        state.ended = true;
      });
    },
  );
  request.on('error', () => {
    state.ended = true;
  });
  return Object.assign(state, { close: () => request.destroy() });
}

const STREAMS: readonly HostileCase[] = [
  {
    attacker: 'portal user',
    kind: 'streams',
    title: 'listens for changes of the victim',
    async attack(stage) {
      const spy = listen(stage, 'tina');
      const victim = listen(stage, 'victor');
      try {
        await waitFor(() => spy.status === 200 && victim.status === 200);
        const set = { namespace: VICTIM, name: 'shop-too' };
        await stage.testHub.admin.create('applicationSets', {
          ...pullApplicationSet(set.name),
          metadata: set,
        });
        stage.afterwards(() =>
          waitFor(async () =>
            (await stage.victimSees()).objects.every(
              ({ metadata }: any) => metadata.name !== set.name,
            ),
          ),
        );
        await waitFor(() => victim.text.includes(set.name));
        await stage.testHub.admin.delete('applicationSets', set);
        await stage.settle();
        expect(spy.text).not.toContain('shop');
      } finally {
        spy.close();
        victim.close();
      }
    },
  },
  {
    attacker: 'portal user',
    kind: 'streams',
    title: 'opens a hundred streams',
    async attack(stage) {
      const streams = Array.from({ length: 100 }, () => listen(stage, 'tina'));
      const victim = listen(stage, 'victor');
      try {
        await waitFor(() =>
          [...streams, victim].every(({ status }) => status > 0),
        );
        expect(victim.status).toBe(200);
        const refused = streams.filter(({ status }) => status === 429);
        expect(refused.length).toBeGreaterThan(50);
      } finally {
        [...streams, victim].forEach(({ close }) => close());
      }
    },
  },
];

/** As a browser does: opens a stream, and the next one whenever one ends. */
function follow(stage: Stage, user: string) {
  const streams = [listen(stage, user)];
  const reopen = setInterval(() => {
    if (streams.at(-1)?.ended) {
      streams.push(listen(stage, user));
    }
  }, 5);
  return {
    /** Which of the streams is open now, the first being 0; undefined between two. */
    open() {
      const last = streams.at(-1);
      return last?.status === 200 && !last.ended
        ? streams.length - 1
        : undefined;
    },
    /** What the streams sent from this one on. */
    textSince: (first: number) =>
      streams
        .slice(first)
        .map(({ text }) => text)
        .join(''),
    close() {
      clearInterval(reopen);
      streams.forEach(({ close }) => close());
    },
  };
}

type Follower = ReturnType<typeof follow>;

/** The victim's team changes something, until the victim hears of it while the spy has a stream open all the time. */
async function untilHeard({ testHub }: Stage, victim: Follower, spy: Follower) {
  const { admin } = testHub;
  let changes = 0;
  await waitFor(async () => {
    changes += 1;
    const set = { namespace: VICTIM, name: `new-${changes}` };
    const before = {
      heard: victim.textSince(0).length,
      ...{ victim: victim.open(), spy: spy.open() },
    };
    const isHeard = () =>
      victim.textSince(0).slice(before.heard).includes(set.name);
    await admin.create('applicationSets', {
      ...pullApplicationSet(set.name),
      metadata: set,
    });
    // A change between two streams of the victim is not heard.
    await waitFor(() => isHeard() || victim.open() !== before.victim);
    const wasHeard = isHeard();
    await admin.delete('applicationSets', set);
    return wasHeard && before.spy !== undefined && before.spy === spy.open();
  });
}

/** Attacks that take longer than an event stream, for a stage whose streams end soon. */
export const SHORT_STREAM_CASES: readonly HostileCase[] = [
  {
    attacker: 'portal user',
    kind: 'streams',
    title: 'listens on after its permission was taken away',
    async attack(stage) {
      const revoke = stage.grant({
        user: 'user:default/leaver',
        namespace: VICTIM,
      });
      const spy = follow(stage, 'leaver');
      const victim = follow(stage, 'victor');
      try {
        await untilHeard(stage, victim, spy);
        await waitFor(() => spy.textSince(0).includes(VICTIM));
        const last = spy.open() ?? 0;
        revoke();
        await waitFor(() => (spy.open() ?? 0) > last);
        await untilHeard(stage, victim, spy);
        await stage.settle();
        expect(spy.textSince(last + 1)).not.toContain(VICTIM);
      } finally {
        spy.close();
        victim.close();
      }
    },
  },
];

/** Attacks by signed-in users of the portal, by other plugins, and by whoever reaches its backend. */
export const PORTAL_CASES: readonly HostileCase[] = [
  ...READING,
  ...WRITING,
  ...STREAMS,
];
