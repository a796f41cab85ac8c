import { writeFile } from 'node:fs/promises';
import type { TestBackend } from '@backstage/backend-test-utils';
import {
  startFaultyLink,
  type FaultyLink,
} from '../../__testUtils__/faultyLink';
import {
  getControllers,
  oneHub,
  startFleetBackend,
} from '../../__testUtils__/fleetBackend';
import { NAMESPACE } from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  isWrite,
  startFaultyHub,
  type FaultyHub,
} from './__testUtils__/faultyHub';
import {
  selectClusters,
  createFleet,
  waitForWorks,
  waitForFirstState,
  withRareFullPasses,
  WORKS_BEFORE,
} from './__testUtils__/scenario';

const NOT_FOUND = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: 'the server could not find the requested resource',
  reason: 'NotFound',
  details: {},
  code: 404,
});

describe('the works of an Application', () => {
  let hub: FaultyHub;
  let link: FaultyLink;
  let backend: TestBackend;

  beforeEach(async () => {
    hub = await startFaultyHub();
    await createFleet(hub);
    link = await startFaultyLink({ url: hub.faults.url });
    await writeFile(
      hub.kubeconfigPath,
      hub.faults.kubeconfig().replaceAll(hub.faults.url, link.url),
    );
    backend = await startFleetBackend({
      argocdFleet: oneHub(hub.kubeconfigPath, {
        controllers: withRareFullPasses(),
      }),
    });
    await waitForFirstState(hub);
  });

  afterEach(async () => {
    await backend.stop();
    await link.stop();
    await hub.stop();
  });

  async function propagation() {
    const { items } = await getControllers(backend);
    return items.find(({ controller }) => controller === 'propagation')!;
  }

  /** What runs on the clusters: UIDs and payloads of the works. */
  async function workloads() {
    return (await hub.works()).map(({ metadata, spec }) => ({
      uid: metadata.uid,
      payload: spec.workload?.manifests?.map(
        ({ kind, metadata: { name }, ...rest }) => ({
          kind,
          name,
          spec: 'spec' in rest && rest.spec,
        }),
      ),
    }));
  }

  it('stay when its ApplicationSet is deleted with --cascade=orphan (section 4, item 19)', async () => {
    const before = await workloads();
    await hub.sendAsAdmin(
      'DELETE',
      `/apis/argoproj.io/v1alpha1/namespaces/${NAMESPACE}/applicationsets/alpha`,
      { propagationPolicy: 'Orphan' },
    );
    await waitFor(async () => {
      const reports = await hub.admin.list('reports');
      return reports.length === 2;
    });
    const applications = await hub.admin.list('applications');
    expect(
      applications.filter(({ metadata }) => !metadata.ownerReferences?.length),
    ).toHaveLength(4);
    await waitForWorks(hub, WORKS_BEFORE);
    expect(hub.deletedWorks()).toEqual([]);
    expect(await workloads()).toEqual(before);
  });

  it('stay while the CRD of ApplicationSet is missing', async () => {
    const before = await hub.works();
    const reports = await hub.admin.list('reports');
    const from = hub.backendRequests().length;
    link.setFault((url, response) => {
      if (!url.includes('/applicationsets')) {
        return undefined;
      }
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(NOT_FOUND);
      return { answered: true };
    });
    link.drop();
    await waitFor(async () => {
      const { hubs } = await getControllers(backend);
      return hubs[0].findings?.some(({ code }) => code === 'AFC-401');
    });
    link.setFault(undefined);
    await waitFor(async () => {
      const [{ state, findings }] = (await getControllers(backend)).hubs;
      return state === 'ready' && findings?.length === 0;
    });
    expect(await hub.works()).toEqual(before);
    expect(await hub.admin.list('reports')).toEqual(reports);
    expect(hub.backendRequests().slice(from).filter(isWrite)).toEqual([]);
  });

  it('are created on the event of the missing decision (section 4, item 17)', async () => {
    const { lastPassAt, findings } = await propagation();
    expect(findings.map(({ code }) => code)).toEqual(['AFC-104']);
    const from = hub.backendRequests().length;

    await selectClusters(hub, 'c1', 'c2', 'c3', 'c4', 'late');

    await waitForWorks(hub, [...WORKS_BEFORE, 'late gamma-late']);
    expect((await propagation()).lastPassAt).toBe(lastPassAt);
    const sent = hub
      .backendRequests()
      .slice(from)
      .filter(({ resource }) =>
        ['manifestworks', 'applications', 'placementdecisions'].includes(
          resource ?? '',
        ),
      )
      .filter(({ subresource, verb }) => !subresource && verb !== 'watch');
    expect(sent[0]).toMatchObject({
      verb: 'create',
      resource: 'manifestworks',
      namespace: 'late',
    });
  });
});
