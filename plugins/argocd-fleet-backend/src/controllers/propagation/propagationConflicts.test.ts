import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestBackend } from '@backstage/backend-test-utils';
import type { JsonObject } from '@backstage/types';
import {
  APP_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  RELEASE_ANNOTATION,
  type ArgoApplication,
  type ControllerRun,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { reportSynced as reportSyncedWork } from '../../__testUtils__/agentReport';
import { CRDS } from '../../__testUtils__/emptyHub';
import {
  startFaultyLink,
  type FaultyLink,
} from '../../__testUtils__/faultyLink';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  provideDecision,
  startTestHub,
  type TestHub,
} from '../../__testUtils__/hubFixture';
import {
  managedCluster,
  NAMESPACE,
  placementDecision,
  pullApplication,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import { isRecord } from '../../model/json/mergePatch';

const FINALIZER = 'somebody.example.com/else';
const APP = { namespace: NAMESPACE, name: 'app' };
const WORK_CRD = 'manifestworks.work.open-cluster-management.io';

/** Propagation beside other writers, late watches and older hubs. */
describe('propagation', () => {
  let testHub: TestHub;
  let link: FaultyLink;
  let folder: string;
  let admin: TestHub['admin'];
  let backend: TestBackend | undefined;

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    link = await startFaultyLink(testHub.hub);
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-propagation-'));
    const kubeconfig = await readFile(testHub.kubeconfigPath, 'utf8');
    await writeFile(
      join(folder, 'kubeconfig'),
      kubeconfig.replaceAll(testHub.hub.url, link.url),
    );
    await testHub.provideNamespaces(NAMESPACE, 'tenant', 'one', 'two');
    for (const name of ['one', 'two', 'nowhere']) {
      await admin.create('clusters', managedCluster(name));
    }
    await decide(NAMESPACE, 'one', 'two', 'nowhere');
  });

  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
    await link.stop();
    await testHub.stop();
    await rm(folder, { recursive: true });
  });

  async function start(runWindow = '50s', propagation: JsonObject = {}) {
    backend = await startFleetBackend({
      argocdFleet: oneHub(join(folder, 'kubeconfig'), {
        controllers: {
          propagation: { fullPassEvery: '100ms', runWindow },
          aggregation: { mode: 'off' },
        },
        propagation,
      }),
    });
  }

  async function decide(ns: string, ...clusters: string[]) {
    const decision = placementDecision('all', ns);
    await provideDecision(admin, 'all', ns);
    await testHub.patchStatus('decisions', decision.metadata, {
      decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
    });
  }

  async function works(): Promise<string[]> {
    const items = await admin.list('works');
    return items
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
      .sort();
  }

  async function workName(cluster: string, app = APP): Promise<string> {
    const { metadata } = (await admin.get('applications', app))!;
    return `${cluster}/${app.name}-${metadata.uid?.slice(0, 5)}`;
  }

  /** Another client creates the work that the Application would have on the cluster. */
  async function createWork(
    cluster: string,
    spec: Partial<ManifestWork['spec']> = {},
  ) {
    const [, name] = (await workName(cluster)).split('/');
    await admin.create('works', {
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: {
        name,
        namespace: cluster,
        annotations: {
          [HUB_APPLICATION_NAMESPACE_ANNOTATION]: APP.namespace,
          [HUB_APPLICATION_NAME_ANNOTATION]: APP.name,
        },
      },
      spec: {
        workload: { manifests: [pullApplication('app', cluster)] },
        ...spec,
      },
    } as KubernetesObject);
    return `${cluster}/${name}`;
  }

  async function retarget(cluster: string) {
    await admin.patch('applications', APP, {
      metadata: { annotations: { [MANAGED_CLUSTER_ANNOTATION]: cluster } },
    });
  }

  async function status(): Promise<ControllerRun> {
    const { body } = await request(backend!.server).get(
      '/api/argocd-fleet/controllers',
    );
    return body.items.find(
      ({ controller }: ControllerRun) => controller === 'propagation',
    );
  }

  async function codes(): Promise<string[]> {
    return (await status()).findings.map(({ code }) => code);
  }

  async function passes(count = 2) {
    for (let passed = 0; passed < count; passed += 1) {
      const before = (await status()).lastPassAt;
      await waitFor(async () => (await status()).lastPassAt !== before);
    }
  }

  async function reportSynced(work: string) {
    const [namespace, name] = work.split('/');
    await reportSyncedWork(testHub, { namespace, name });
  }

  /** From now on the backend receives no events of Applications, and no error either. */
  async function silenceApplications() {
    const silent: ServerResponse[] = [];
    link.setFault((url, response) => {
      if (!url.includes('/applications?watch=true')) {
        return undefined;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      silent.push(response);
      return { answered: true };
    });
    link.drop();
    await waitFor(() => silent.length > 0);
  }

  async function recreate() {
    const old = await admin.get('applications', APP);
    if (old?.metadata.deletionTimestamp) {
      await admin.patch('applications', APP, {
        metadata: { finalizers: [] },
      });
    } else if (old) {
      await admin.delete('applications', APP);
    }
    await admin.create('applications', pullApplication('app', 'one'));
  }

  it.each<[string, () => Promise<void>, () => Promise<string>]>([
    [
      'was made again',
      async () => {},
      async () => {
        await recreate();
        return createWork('one');
      },
    ],
    [
      'was made again after it was being deleted',
      async () => {
        await admin.patch('applications', APP, {
          metadata: { finalizers: [FINALIZER] },
        });
        await admin.delete('applications', APP);
        await waitFor(async () => (await works()).length === 0);
      },
      async () => {
        await recreate();
        return createWork('one');
      },
    ],
    [
      'was made when it had been gone',
      async () => {
        await admin.delete('applications', APP);
        await waitFor(async () => (await works()).length === 0);
      },
      async () => {
        await recreate();
        return createWork('one');
      },
    ],
    [
      'goes elsewhere now',
      async () => {},
      async () => {
        await retarget('two');
        return createWork('two');
      },
    ],
    [
      'is pulled again',
      async () => {
        await admin.patch('applications', APP, {
          metadata: {
            labels: { [PULL_LABEL]: 'false' },
            annotations: { [RELEASE_ANNOTATION]: 'remove' },
          },
        });
        await waitFor(async () => (await works()).length === 0);
      },
      async () => {
        await admin.patch('applications', APP, {
          metadata: { labels: { [PULL_LABEL]: 'true' } },
        });
        return createWork('one');
      },
    ],
  ])(
    'deletes no work of an Application that, unheard of, %s',
    async (_, before, meanwhile) => {
      await admin.create('applications', pullApplication('app', 'one'));
      await start();
      await waitFor(async () => (await works()).length === 1);
      await before();
      await passes();
      await silenceApplications();
      const valid = await meanwhile();
      await passes(3);
      expect(await works()).toContain(valid);
    },
  );

  it('waits for a work that is being deleted and needed again, and keeps what runs elsewhere until then', async () => {
    await admin.create('applications', pullApplication('app', 'one'));
    await start();
    await waitFor(async () => (await works()).length === 1);
    const [old] = await admin.list('works');
    await admin.patch('works', old.metadata, {
      metadata: { finalizers: [FINALIZER] },
    });
    await retarget('two');
    const elsewhere = await workName('two');
    await waitFor(async () => (await works()).includes(elsewhere));
    await reportSynced(elsewhere);
    await waitFor(
      async () =>
        (await admin.get('works', old.metadata))?.metadata.deletionTimestamp,
    );
    expect(await works()).toContain(elsewhere);
    testHub.clearRequests();

    await retarget('one');
    await admin.patch('applications', APP, {
      spec: { source: { targetRevision: 'v2' } },
    });
    await waitFor(async () => (await codes()).includes('AFC-110'));
    await passes();
    expect(
      testHub.writes().filter(write => write.includes('manifestworks')),
    ).toEqual([]);
    expect(await works()).toContain(elsewhere);

    await admin.patch('works', old.metadata, {
      metadata: { finalizers: [] },
    });
    const again = await workName('one');
    await waitFor(async () => (await works()).includes(again));
    await reportSynced(again);
    await waitFor(async () => (await works()).join() === again);
    await waitFor(async () => (await codes()).length === 0);
  });

  it('keeps the old work while the new one only observes', async () => {
    await admin.create('applications', pullApplication('app', 'one'));
    await start();
    await waitFor(async () => (await works()).length === 1);
    const old = await workName('one');
    // Or the work would be taken for a left-over before the Application goes there.
    await backend?.stop();
    await createWork('two', {
      manifestConfigs: [
        {
          resourceIdentifier: {
            group: 'argoproj.io',
            resource: 'applications',
            namespace: NAMESPACE,
            name: 'app',
          },
          updateStrategy: { type: 'ReadOnly' },
        },
      ],
    });
    await retarget('two');
    await start();
    await waitFor(async () => (await codes()).includes('AFC-108'));
    await passes();
    expect(await works()).toContain(old);
  });

  it.each(['may', 'may not'])(
    'writes nothing again and again on a hub of an older OCM whose definitions it %s read',
    async may => {
      const crd = await admin.client.get(CRDS, { name: WORK_CRD });
      await patchCrd(withoutNewerFields(crd));
      if (may === 'may not') {
        link.setFault((url, response) => {
          if (!url.includes('/customresourcedefinitions/')) {
            return undefined;
          }
          response.writeHead(403, { 'content-type': 'application/json' });
          response.end('{"kind":"Status","code":403,"reason":"Forbidden"}');
          return { answered: true };
        });
      }
      await admin.create('applications', pullApplication('app', 'one'));
      await start('300ms');
      await waitFor(async () => (await works()).length === 1);
      await waitFor(async () => (await codes()).join() === 'AFC-404');
      await passes();
      testHub.clearRequests();
      await passes(4);
      expect(testHub.writes()).toEqual([]);

      if (may === 'may') {
        await patchCrd(crd);
        await waitFor(async () => {
          const [work] = await admin.list('works');
          const [config] = work.spec.manifestConfigs ?? [];
          return config.feedbackScrapeType === 'Watch' && config.conditionRules;
        });
        await waitFor(async () => (await codes()).length === 0);
      }
    },
  );

  async function patchCrd(crd: KubernetesObject) {
    const { spec } = crd as KubernetesObject & { spec: unknown };
    await admin.client.patch(CRDS, { name: WORK_CRD }, { spec });
  }

  it('does not take a client that writes twice for a competing controller, while its own write is refused', async () => {
    await admin.create('applications', pullApplication('app', 'one'));
    await start();
    await waitFor(async () => (await works()).length === 1);
    const [{ metadata }] = await admin.list('works');
    let refused = 0;
    link.setFault((url, response) => {
      if (response.req.method !== 'PATCH' || !url.includes('/manifestworks/')) {
        return undefined;
      }
      refused += 1;
      response.writeHead(409, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ kind: 'Status', reason: 'Conflict', code: 409 }),
      );
      return { answered: true };
    });
    async function writeAsOther(cluster: string) {
      // Managed fields have the time of a write in whole seconds.
      const second = () => Math.floor(Date.now() / 1000);
      const now = second();
      await waitFor(() => second() > now);
      const before = refused;
      await admin.patch('works', metadata, {
        spec: { workload: { manifests: [pullApplication('app', cluster)] } },
      });
      await waitFor(() => refused > before + 1);
    }
    await writeAsOther('theirs');
    await writeAsOther('others');
    link.setFault(undefined);
    await waitFor(async () => {
      const [{ spec }] = await admin.list('works');
      return !JSON.stringify(spec).includes('others');
    });
    // That the key failed is known until the answer to its write has arrived; a competing controller, for ten minutes.
    expect(await waitFor(async () => (await codes()).length === 0)).toBe(true);
  });

  it('reports that the namespace of a cluster is missing, and retries seldom', async () => {
    await admin.create('applications', pullApplication('app', 'nowhere'));
    await start();
    await waitFor(async () => (await codes()).join() === 'AFC-414');
    const [finding] = (await status()).findings;
    expect(finding.title).toBe('Hub hub has no namespace nowhere');
    await passes(5);
    // Not in each of the passes.
    expect(testHub.writes().length).toBeLessThan(5);
  });

  describe('with two Applications of the same target on a cluster', () => {
    const TENANT = { namespace: 'tenant', name: 'app' };
    const tenants = (): ArgoApplication => {
      const { metadata, ...rest } = pullApplication('app', 'one', TENANT);
      const annotations = {
        ...metadata.annotations,
        [APP_NAMESPACE_ANNOTATION]: NAMESPACE,
      };
      return { ...rest, metadata: { ...metadata, annotations } };
    };

    const allowed = { appNamespaces: { tenant: [NAMESPACE] } };

    it('leaves the target to the one that owns it, until it is deleted', async () => {
      await decide('tenant', 'one');
      await admin.create('applications', pullApplication('app', 'one'));
      await start('50s', allowed);
      await waitFor(async () => (await works()).length === 1);
      const first = await works();

      await admin.create('applications', tenants());
      await waitFor(async () => (await codes()).join() === 'AFC-111');
      const [finding] = (await status()).findings;
      expect(finding.message).toContain('another one of the hub');
      // The tenant may not know whose it is.
      expect(JSON.stringify(finding)).not.toContain(`${NAMESPACE}/app`);
      expect(JSON.stringify(finding)).not.toContain(`-n ${NAMESPACE}`);
      expect(finding.fix?.command).toContain('metadata.name=app');
      expect(finding.object).toMatchObject(TENANT);
      await passes();
      expect(await works()).toEqual(first);

      await admin.delete('applications', APP);
      const next = await workName('one', TENANT);
      await waitFor(async () => (await works()).join() === next);
      await waitFor(async () => (await codes()).length === 0);
    });

    it('does not let a tenant’s older Application take the target of one in its own namespace by annotation', async () => {
      await decide('tenant', 'one');
      await admin.create('applications', tenants());
      await start();
      await waitFor(async () => (await codes()).join() === 'AFC-113');
      await admin.create('applications', pullApplication('app', 'one'));
      await waitFor(async () => (await works()).length === 1);
      expect(await works()).toEqual([await workName('one')]);
      expect(await codes()).toEqual(['AFC-113']);
    });

    it('does not let an Application own the target that may not be delivered', async () => {
      await admin.create('applications', tenants());
      await start('50s', allowed);
      await waitFor(async () => (await codes()).join() === 'AFC-104');
      await admin.create('applications', pullApplication('app', 'one'));
      await waitFor(async () => (await works()).length === 1);
      expect(await works()).toEqual([await workName('one')]);
    });
  });
});

function withoutNewerFields(crd: KubernetesObject): KubernetesObject {
  return JSON.parse(JSON.stringify(crd), (key, value) => {
    if (key !== 'properties' || !isRecord(value)) {
      return value;
    }
    const { conditionRules, feedbackScrapeType, ...older } = value;
    return older;
  });
}
