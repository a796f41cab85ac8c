import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import {
  mockServices,
  startTestBackend,
  type TestBackend,
} from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import scaffolderPlugin from '@backstage/plugin-scaffolder-backend';
import { parse } from 'yaml';
import { applicationSetOn, onCluster } from './__testUtils__/applicationSet';
import { createFakeFleetApi } from './__testUtils__/fakeFleetApi';
import scaffolderModule from '.';

const template: Entity = parse(
  readFileSync(
    `${__dirname}/../templates/try-on-the-hub/template.yaml`,
    'utf8',
  ),
);

/** Values of the form. */
const VALUES = {
  name: 'guestbook',
  owner: 'group:default/platform',
  repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
  path: 'guestbook',
  targetRevision: 'main',
  target: {
    hub: 'hub',
    namespace: 'openshift-gitops',
    clusterSets: ['aws-clusters'],
    clusterLabels: ['environment=production'],
  },
};

/** The component that the catalog module creates for the ApplicationSet. */
const guestbook: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: {
    name: 'guestbook',
    annotations: {
      'argocd-fleet/applicationset': 'hub:openshift-gitops/guestbook',
    },
  },
};

describe('the template Try on the hub', () => {
  const api = createFakeFleetApi();
  let backend: TestBackend;

  beforeAll(async () => {
    const fleetPlugin = createBackendPlugin({
      pluginId: 'argocd-fleet',
      register({ registerInit }) {
        registerInit({
          deps: {
            httpAuth: coreServices.httpAuth,
            httpRouter: coreServices.httpRouter,
          },
          async init({ httpAuth, httpRouter }) {
            httpRouter.use((req, res, next) => {
              httpAuth
                .credentials(req, { allow: ['user'] })
                .then(() => api.handle(req, res))
                .catch(next);
            });
          },
        });
      },
    });
    backend = await startTestBackend({
      features: [
        scaffolderPlugin,
        scaffolderModule,
        fleetPlugin,
        catalogServiceMock.factory({ entities: [template, guestbook] }),
        mockServices.rootConfig.factory({
          data: { backend: { baseUrl: 'http://localhost' } },
        }),
      ],
    });
  });
  afterAll(() => backend.stop());

  async function request(path: string, init?: RequestInit) {
    const response = await fetch(
      `http://localhost:${backend.server.port()}/api/scaffolder${path}`,
      { headers: { 'Content-Type': 'application/json' }, ...init },
    );
    return response.json();
  }

  function submit(values: Record<string, unknown>) {
    return request('/v2/tasks', {
      method: 'POST',
      body: JSON.stringify({
        templateRef: 'template:default/try-on-the-hub',
        values,
      }),
    });
  }

  /** Runs the template with values of the form; returns the result. */
  async function run(values: Record<string, unknown>) {
    const { id } = await submit(values);
    for (;;) {
      const { status } = await request(`/v2/tasks/${id}`);
      if (status !== 'open' && status !== 'processing') {
        const events: {
          type: string;
          body: { message: string; output?: unknown };
        }[] = await request(`/v2/tasks/${id}/events?after=-1`);
        return {
          status,
          output: events.find(event => event.type === 'completion')?.body
            .output,
          log: events.map(event => event.body.message).join('\n'),
        };
      }
      await setTimeout(50);
    }
  }

  it('creates Placement and ApplicationSet on the hub, and ends when the application runs', async () => {
    api.writes.length = 0;
    api.onWrite = () =>
      api.show(
        applicationSetOn([onCluster('pcluster1'), onCluster('pcluster2')]),
      );
    const { status, output, log } = await run(VALUES);
    expect({ status, log }).toEqual({
      status: 'completed',
      log: expect.stringContaining('2 of 2 clusters synced and healthy'),
    });
    expect(api.writes).toEqual([
      {
        path: '/placements/hub/openshift-gitops/guestbook?applicationSet=guestbook',
        body: {
          clusterSets: ['aws-clusters'],
          matchLabels: { environment: 'production' },
          owner: 'group:default/platform',
        },
        authorization: expect.anything(),
      },
      {
        path: '/applicationsets/hub/openshift-gitops/guestbook',
        body: {
          placement: 'guestbook',
          source: {
            repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
            path: 'guestbook',
            targetRevision: 'main',
          },
          destinationNamespace: 'guestbook',
          project: 'default',
          automated: true,
          component: { name: 'guestbook', owner: 'group:default/platform' },
        },
        authorization: expect.anything(),
      },
    ]);
    expect(output).toEqual({
      links: [
        {
          title: 'Open the Fleet tab',
          icon: 'dashboard',
          url: '/catalog/default/component/guestbook/fleet',
        },
      ],
      text: [
        {
          title: 'The application',
          content: expect.stringMatching(
            /^\*\*guestbook\*\* is synced and healthy on pcluster1, pcluster2\.\n+To undo[^]*\n {4}kubectl delete applicationsets\.argoproj\.io guestbook -n openshift-gitops\n {4}kubectl delete placements/,
          ),
        },
      ],
    });
  });

  it('selects no cluster that nobody has chosen, and all of them on purpose only', async () => {
    api.writes.length = 0;
    const { target } = VALUES;
    const { hub, namespace } = target;
    const unchosen = { hub, namespace, clusterSets: [], clusterLabels: [] };
    const refused = await run({ ...VALUES, target: unchosen });
    expect(refused).toMatchObject({
      status: 'failed',
      log: expect.stringContaining(
        'No clusters are chosen for Placement openshift-gitops/guestbook',
      ),
    });
    expect(api.writes).toEqual([]);
    await run({ ...VALUES, target: { ...unchosen, allClusters: true } });
    expect(api.writes[0].body).toEqual({ owner: 'group:default/platform' });
  });

  it('waits for no sync where a person starts each, and says so', async () => {
    api.writes.length = 0;
    const { status, output } = await run({ ...VALUES, automated: false });
    expect(status).toBe('completed');
    expect(api.writes[1].body).toMatchObject({ automated: false });
    expect(output).toMatchObject({
      text: [
        {
          content: expect.stringContaining(
            '**guestbook** is on its clusters and waits for a person to sync it.',
          ),
        },
      ],
    });
  });

  it('passes on every value of the form', async () => {
    api.writes.length = 0;
    await run({
      name: 'guestbook',
      description: 'Where guests write',
      owner: 'group:default/platform',
      repoURL: 'https://example.com/shop.git',
      path: 'deploy',
      targetRevision: 'v2',
      target: {
        hub: 'hub',
        namespace: 'openshift-gitops',
        project: 'shops',
        clusterSets: [],
        clusterLabels: [],
        numberOfClusters: 2,
      },
      destinationNamespace: 'shop',
    });
    expect(api.writes.map(write => write.body)).toEqual([
      { numberOfClusters: 2, owner: 'group:default/platform' },
      expect.objectContaining({
        destinationNamespace: 'shop',
        project: 'shops',
        component: {
          name: 'guestbook',
          owner: 'group:default/platform',
          description: 'Where guests write',
        },
      }),
    ]);
  });

  it('creates nothing when the name of the ApplicationSet is taken', async () => {
    api.writes.length = 0;
    api.fail({ status: 409, message: 'The name is taken' });
    const { status, log } = await run(VALUES);
    expect(status).toBe('failed');
    expect(log).toContain('The name is taken');
    expect(api.writes).toEqual([]);
  });

  const LABEL = 'target.clusterLabels.0';
  const on = (target: object) => ({ target: { ...VALUES.target, ...target } });
  const label = (key: string, value = 'x') =>
    on({ clusterLabels: [`${key}=${value}`] });

  it.each<[string, object, string]>([
    ['a name with a capital letter', { name: 'Guestbook' }, 'name'],
    ['a repository with a space', { repoURL: 'https://a.com/b c' }, 'repoURL'],
    ['a path from the root of a disk', { path: '/guestbook' }, 'path'],
    ['a revision with a space', { targetRevision: 'a b' }, 'targetRevision'],
    ['a namespace with a dot', on({ namespace: 'a.b' }), 'target.namespace'],
    [
      'a namespace that is too long',
      { destinationNamespace: 'a'.repeat(64) },
      'destinationNamespace',
    ],
    ['no hub', on({ hub: '' }), 'target.hub'],
    [
      'a cluster set without a name',
      on({ clusterSets: [''] }),
      'target.clusterSets.0',
    ],
    [
      'a cluster set twice',
      on({ clusterSets: ['a', 'a'] }),
      'target.clusterSets',
    ],
    [
      'half a cluster',
      on({ numberOfClusters: 1.5 }),
      'target.numberOfClusters',
    ],
    [
      'no cluster at all',
      on({ numberOfClusters: 0 }),
      'target.numberOfClusters',
    ],
    ['a label without a value', on({ clusterLabels: ['region'] }), LABEL],
    [
      'a label twice',
      on({ clusterLabels: ['a=b', 'a=b'] }),
      'target.clusterLabels',
    ],
    ['a label without a name', label(''), LABEL],
    ['a label that begins with a hyphen', label('-region'), LABEL],
    ['a label that is too long', label('a'.repeat(64)), LABEL],
    ['a label with two slashes', label('example.com/a/b'), LABEL],
    ['a label whose prefix is no domain', label('Example_com/a'), LABEL],
    ['a label value with a space', label('region', 'eu west'), LABEL],
    ['a label value that ends in a dot', label('region', 'eu.'), LABEL],
    ['a label value that is too long', label('region', 'a'.repeat(64)), LABEL],
  ])('refuses %s before any step runs', async (_, wrong, where) => {
    const answer = await submit({ ...VALUES, ...wrong });
    expect(answer).toEqual({ errors: [expect.anything()] });
    expect(answer.errors[0].path.join('.')).toBe(where);
  });

  it.each(['region', 'example.com/Region_1.a', 'a'.repeat(63)])(
    'accepts the label %s',
    async key => {
      const { id } = await submit({ ...VALUES, ...label(key, 'EU-west_1.a') });
      expect(id).toBeDefined();
    },
  );
});

// docs/installation.md says what to do about this line of Backstage's.
it('ends the start with one line when the module is added twice', async () => {
  await expect(
    startTestBackend({
      features: [
        scaffolderPlugin,
        scaffolderModule,
        scaffolderModule,
        catalogServiceMock.factory({ entities: [] }),
        mockServices.rootConfig.factory({
          data: { backend: { baseUrl: 'http://localhost' } },
        }),
      ],
    }),
  ).rejects.toThrow(
    "Module 'argocd-fleet' for plugin 'scaffolder' is already registered",
  );
});
