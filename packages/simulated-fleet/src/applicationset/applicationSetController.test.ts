import { FleetOnHub, startHubForFleets } from '../__testUtils__/fleetOnHub';
import { createHubInformers } from '../hub/hubInformers';
import { HubClient } from '../kubernetes/client';
import {
  applications,
  applicationSets,
  appProjects,
  namespaces,
  secrets,
} from '../kubernetes/resources';
import { createClock } from '../runtime/clock';
import { silentLogger as logger } from '../runtime/logger';
import { startApplicationSetController } from './applicationSetController';

const namespace = 'openshift-gitops';

const CLUSTER_SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'c1',
    namespace,
    labels: { 'argocd.argoproj.io/secret-type': 'cluster' },
  },
  data: {
    name: Buffer.from('c1').toString('base64'),
    server: Buffer.from('https://c1').toString('base64'),
  },
};

const APP_PROJECT = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace },
  spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
};

const APPLICATION_SET = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'shop', namespace },
  spec: {
    generators: [{ list: { elements: [{}] } }],
    template: {
      metadata: { name: 'shop' },
      spec: {
        project: 'default',
        source: { repoURL: 'https://git.example.com/shop', path: '.' },
        destination: { name: 'c1' },
      },
    },
  },
};

describe('the ApplicationSet controller', () => {
  let fleets: FleetOnHub;
  const abort = new AbortController();
  const clock = createClock();

  beforeAll(async () => {
    fleets = await startHubForFleets();
  });

  afterAll(async () => {
    abort.abort();
    clock.stop();
    await fleets.stop();
  });

  it('generates for a cluster that arrives while the error about it is written', async () => {
    const { client } = fleets;
    const { signal } = abort;
    const errors: string[] = [];
    const hub = createHubInformers({
      client,
      argocdNamespace: namespace,
      logger,
      signal,
    });
    const patch: HubClient['patch'] = async (resource, ...rest) => {
      const [, body, options] = rest;
      if (options?.subresource === 'status' && errors.length === 0) {
        errors.push(JSON.stringify(body));
        const seen = new Promise<void>(resolve => {
          hub.clusterSecrets.onChange(() => resolve());
        });
        await client.create(secrets, CLUSTER_SECRET);
        await seen;
      }
      return client.patch(resource, ...rest);
    };
    await client.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    await client.create(appProjects, APP_PROJECT);
    await client.create(applicationSets, APPLICATION_SET);
    await hub.start();
    startApplicationSetController({
      client: { ...client, patch },
      hub,
      logger,
      signal,
      clock,
      namespaces: [namespace],
    });

    const generated = await fleets.until(applications, items =>
      items.find(({ metadata }) => metadata.name === 'shop'),
    );

    expect(errors).toEqual([
      expect.stringContaining('there are no clusters with this name: c1'),
    ]);
    expect(generated.spec?.destination).toEqual({ name: 'c1' });
  });
});
