import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestBackend } from '@backstage/backend-test-utils';
import type {
  ControllerRun,
  Finding,
  HubState,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import {
  applyRbac,
  deployedRbac,
  rbacResource,
} from '../../__testUtils__/deployedRbac';
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

const FINALIZER = 'resources-finalizer.argocd.argoproj.io';
const APPLICATIONS = 40;

describe('permissions that are revoked while the controllers work', () => {
  let testHub: TestHub;
  let link: FaultyLink;
  let folder: string;
  let admin: TestHub['admin'];
  let backend: TestBackend;

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    link = await startFaultyLink(testHub.hub);
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-revoked-'));
    const path = join(folder, 'kubeconfig');
    const kubeconfig = await readFile(testHub.kubeconfigPath, 'utf8');
    await writeFile(path, kubeconfig.replaceAll(testHub.hub.url, link.url));
    await testHub.provideNamespaces(NAMESPACE, 'one');
    await admin.create('clusters', managedCluster('one'));
    await provideDecision(admin);
    await testHub.patchStatus('decisions', placementDecision('all').metadata, {
      decisions: [{ clusterName: 'one', reason: '' }],
    });
    backend = await startFleetBackend({
      argocdFleet: oneHub(path, {
        controllers: {
          clusterImport: { mode: 'off' },
          propagation: { fullPassEvery: '100ms' },
        },
      }),
    });
  });

  afterEach(async () => {
    await backend.stop();
    await link.stop();
    await testHub.stop();
    await rm(folder, { recursive: true });
  });

  function binding(role: string) {
    const found = deployedRbac().find(
      ({ kind, metadata }) =>
        kind === 'ClusterRoleBinding' && metadata.name === role,
    );
    if (!found) {
      throw new Error(`deploy/rbac has no ClusterRoleBinding ${role}`);
    }
    return found;
  }

  async function revoke(role: string) {
    const resource = rbacResource(binding(role));
    const { metadata } = await admin.client.get(resource, { name: role });
    await admin.client.delete(
      resource,
      { name: role },
      { uid: metadata.uid ?? '' },
    );
  }

  const grant = (role: string) => applyRbac(admin.client, [binding(role)]);

  async function create(from: number, to: number) {
    for (let index = from; index < to; index += 1) {
      await admin.create(
        'applications',
        pullApplication(`app-${index}`, 'one', { finalizers: [FINALIZER] }),
      );
    }
  }

  async function works(): Promise<string[]> {
    const items = await admin.list('works');
    return items.map(({ metadata }) => metadata.uid ?? '').sort();
  }

  async function hubFindings(): Promise<readonly Finding[]> {
    const { body } = await request(backend.server).get(
      '/api/argocd-fleet/controllers',
    );
    const hubs: HubState[] = body.hubs;
    const runs: ControllerRun[] = body.items;
    return [...hubs, ...runs].flatMap(({ findings = [] }) => findings);
  }

  async function hasFinding(code: string, evidence: RegExp) {
    const found = await hubFindings();
    return found.some(
      finding => finding.code === code && evidence.test(finding.evidence ?? ''),
    );
  }

  /** Every Application has its work, no work belongs to another one, and no controller reports an error. */
  async function converged(names: readonly number[]) {
    const items = await admin.list('works');
    const carried = items
      .map(({ metadata }) => metadata.name.replace(/-[0-9a-f]{5}$/, ''))
      .sort();
    const wanted = names.map(index => `app-${index}`).sort();
    const complaints = (await hubFindings()).filter(({ code }) =>
      ['AFC-402', 'AFC-411'].includes(code),
    );
    return (
      JSON.stringify(carried) === JSON.stringify(wanted) &&
      complaints.length === 0
    );
  }

  const range = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => from + index);

  it('stops forbidden writes, reports it, deletes nothing, and continues when they are allowed again', async () => {
    await create(0, 3);
    await waitFor(async () => (await works()).length === 3);

    const making = create(3, APPLICATIONS);
    await waitFor(async () => (await works()).length > 5);
    await revoke('argocd-fleet-propagation');
    await making;
    await waitFor(() =>
      hasFinding('AFC-411', /cannot create resource "manifestworks"/),
    );
    const before = await works();
    await admin.delete('applications', {
      namespace: NAMESPACE,
      name: 'app-0',
    });
    await waitFor(() =>
      hasFinding('AFC-411', /cannot delete resource "manifestworks"/),
    );
    expect(await works()).toEqual(before);
    // It waits for its work to be deleted.
    expect(
      await admin.get('applications', {
        namespace: NAMESPACE,
        name: 'app-0',
      }),
    ).toBeDefined();

    await grant('argocd-fleet-propagation');
    await waitFor(() => converged(range(1, APPLICATIONS)));
  });

  it('does not run while reads are forbidden, reports it, deletes nothing, and continues when they are allowed again', async () => {
    await create(0, 5);
    await waitFor(async () => (await works()).length === 5);
    const before = await works();

    await revoke('argocd-fleet-read');
    // A watch lasts until it ends.
    link.drop();
    for (const resource of ['applications', 'manifestworks']) {
      await waitFor(() =>
        hasFinding(
          'AFC-402',
          new RegExp(`cannot (list|watch) resource "${resource}"`),
        ),
      );
    }
    testHub.clearRequests();
    await admin.patch(
      'applications',
      { namespace: NAMESPACE, name: 'app-0' },
      { metadata: { finalizers: null } },
    );
    await admin.delete('applications', {
      namespace: NAMESPACE,
      name: 'app-0',
    });
    await create(5, 8);
    const from = testHub.hub.requests.length;
    // No event to wait for: requests are repeated meanwhile, and refused.
    await waitFor(() =>
      testHub.hub.requests
        .slice(from)
        .some(
          ({ verb, resource }) =>
            verb === 'list' && resource === 'manifestworks',
        ),
    );
    expect(testHub.writes()).toEqual([]);
    expect(await works()).toEqual(before);

    await grant('argocd-fleet-read');
    await waitFor(() => converged(range(1, 8)));
  });
});
