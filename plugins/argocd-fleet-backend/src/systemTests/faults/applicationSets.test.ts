import { writeFile } from 'node:fs/promises';
import type { TestBackend } from '@backstage/backend-test-utils';
import type { ControllerRun } from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import {
  startFaultyLink,
  type FaultyLink,
} from '../../__testUtils__/faultyLink';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import { NAMESPACE } from '../../__testUtils__/objects';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';
import {
  decide,
  furnish,
  hasWorks,
  isReported,
  patiently,
  WORKS_BEFORE,
} from './__testUtils__/scenario';

jest.setTimeout(120_000);

const NOT_FOUND = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: 'the server could not find the requested resource',
  reason: 'NotFound',
  details: {},
  code: 404,
});

describe('works live and die with their Applications', () => {
  let hub: FaultyHub;
  let link: FaultyLink;
  let backend: TestBackend;

  beforeEach(async () => {
    hub = await startFaultyHub();
    await furnish(hub);
    link = await startFaultyLink({ url: hub.faults.url });
    await writeFile(
      hub.kubeconfigPath,
      hub.faults.kubeconfig().replaceAll(hub.faults.url, link.url),
    );
    const seldom = { fullPassEvery: '10m' };
    backend = await startFleetBackend({
      argocdFleet: oneHub(hub.kubeconfigPath, {
        controllers: {
          clusterImport: seldom,
          propagation: seldom,
          applicationStatus: seldom,
          aggregation: seldom,
        },
      }),
    });
    await hasWorks(hub, WORKS_BEFORE);
    await isReported(hub, 'first');
  });

  afterEach(async () => {
    await backend.stop();
    await link.stop();
    await hub.stop();
  });

  async function controllers() {
    const { body } = await request(backend.server).get(
      '/api/argocd-fleet/controllers',
    );
    return body;
  }

  async function propagation(): Promise<ControllerRun> {
    const { items } = await controllers();
    return items.find(
      ({ controller }: ControllerRun) => controller === 'propagation',
    );
  }

  /** What runs on the clusters, and that it is the same one. */
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

  it('when an ApplicationSet is deleted with --cascade=orphan (section 4, item 19)', async () => {
    const before = await workloads();
    const { ok } = await fetch(
      `${hub.faults.url}/apis/argoproj.io/v1alpha1/namespaces/${NAMESPACE}/applicationsets/alpha`,
      {
        method: 'DELETE',
        headers: {
          authorization: 'Bearer admin',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ propagationPolicy: 'Orphan' }),
      },
    );
    expect(ok).toBe(true);
    await patiently(async () => {
      const reports = await hub.somebody.list('reports');
      return reports.length === 2;
    });
    const applications = await hub.somebody.list('applications');
    expect(
      applications.filter(({ metadata }) => !metadata.ownerReferences?.length),
    ).toHaveLength(4);
    await hasWorks(hub, WORKS_BEFORE);
    expect(hub.deletedWorks()).toEqual([]);
    expect(await workloads()).toEqual(before);
  });

  it('when the definition of ApplicationSets is gone for a while', async () => {
    const before = await hub.works();
    const reports = await hub.somebody.list('reports');
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
    await patiently(async () =>
      (await controllers()).hubs[0].findings.some(
        ({ code }: { code: string }) => code === 'AFC-401',
      ),
    );
    link.setFault(undefined);
    await patiently(
      async () =>
        (await controllers()).hubs[0].state === 'ready' &&
        (await controllers()).hubs[0].findings.length === 0,
    );
    expect(await hub.works()).toEqual(before);
    expect(await hub.somebody.list('reports')).toEqual(reports);
    expect(
      hub
        .backendRequests()
        .slice(from)
        .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb)),
    ).toEqual([]);
  });

  it('and an Application that was refused for want of a decision is delivered because that arrives (section 4, item 17)', async () => {
    const { lastPassAt, findings } = await propagation();
    expect(findings.map(({ code }) => code)).toEqual(['AFC-104']);
    const from = hub.backendRequests().length;

    await decide(hub, 'c1', 'c2', 'c3', 'c4', 'late');

    await hasWorks(hub, [...WORKS_BEFORE, 'late gamma-late']);
    expect((await propagation()).lastPassAt).toBe(lastPassAt);
    const asked = hub
      .backendRequests()
      .slice(from)
      .filter(({ resource }) =>
        ['manifestworks', 'applications', 'placementdecisions'].includes(
          resource ?? '',
        ),
      )
      .filter(({ subresource, verb }) => !subresource && verb !== 'watch');
    expect(asked[0]).toMatchObject({
      verb: 'create',
      resource: 'manifestworks',
      namespace: 'late',
    });
  });
});
