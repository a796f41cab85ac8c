import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitServer, startGitServer } from 'git-server';

import { FleetOnHub, startHubForFleets } from './__testUtils__/fleetOnHub';
import { Application } from './kubernetes/argocdTypes';
import { applications, placements } from './kubernetes/resources';

const SHOP = { owner: 'retail', name: 'shop' };
const SCENARIO = `
clusters:
  - { name: local-cluster, labels: { local-cluster: 'true' } }
timings: { outOfSyncSeconds: 0, syncSeconds: 0, progressingSeconds: 0 }
`;

const deployment = (image: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: shop }
spec: { template: { spec: { containers: [{ name: shop, image: '${image}' }] } } }
`;

describe('a fleet with a Git server', () => {
  let folder: string;
  let git: GitServer;
  let stage: FleetOnHub;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'git-fleet-'));
    git = await startGitServer({ folder });
    stage = await startHubForFleets();
    await stage.start(SCENARIO, { gitServer: git });
  });
  afterEach(async () => {
    await stage.stop();
    await git.stop();
    await rm(folder, { recursive: true });
  });

  const push = (files: Record<string, string>) =>
    git.repositories.commit(SHOP, {
      ...{ branch: 'main', message: 'Change', files },
    });

  const deploy = (source: Record<string, string>, automated = true) =>
    stage.client.create(applications, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop', namespace: 'openshift-gitops' },
      spec: {
        project: 'default',
        source: { repoURL: `${git.url}/retail/shop.git`, ...source },
        destination: {
          server: 'https://kubernetes.default.svc',
          namespace: 'shop',
        },
        ...(automated && { syncPolicy: { automated: { prune: true } } }),
      },
    } as Application);

  const until = (check: (status: Application['status']) => boolean) =>
    stage.until(
      applications,
      ([application]) =>
        application && check(application.status) && application.status,
    );

  it('deploys the commits that are pushed', async () => {
    git.repositories.create(SHOP);
    const first = push({ 'app/shop.yaml': deployment('shop:1') });
    await deploy({ path: 'app', targetRevision: 'main' });
    const status = await until(
      found =>
        found?.sync?.status === 'Synced' && found.health?.status === 'Healthy',
    );
    expect(status).toMatchObject({
      sync: { revision: first },
      summary: { images: ['shop:1'] },
      resources: [{ kind: 'Deployment', name: 'shop', namespace: 'shop' }],
    });

    const second = push({ 'app/shop.yaml': deployment('shop:2') });
    const next = await until(
      found =>
        found?.sync?.status === 'Synced' && found.sync.revision === second,
    );
    expect(next).toMatchObject({
      summary: { images: ['shop:2'] },
      history: [{ revision: first }, { revision: second }],
    });
  });

  it('shows a new commit that nobody has synced, and syncs back to an old one', async () => {
    git.repositories.create(SHOP);
    const first = push({ 'app/shop.yaml': deployment('shop:1') });
    await deploy({ path: 'app' }, false);
    await until(found => found?.sync?.status === 'OutOfSync');
    const second = push({ 'app/shop.yaml': deployment('shop:2') });
    await until(
      found =>
        found?.sync?.status === 'OutOfSync' && found.sync.revision === second,
    );
    const [application] = (await stage.client.list(applications)).items;
    await stage.client.patch(applications, application.metadata, {
      operation: { sync: { revision: first } },
    });
    const status = await until(
      found => found?.operationState?.phase === 'Succeeded',
    );
    expect(status).toMatchObject({
      sync: { status: 'OutOfSync', revision: second },
      operationState: { syncResult: { revision: first } },
      summary: { images: ['shop:1'] },
    });
    await stage.client.patch(applications, application.metadata, {
      operation: { sync: { revision: 'a'.repeat(40) } },
    });
    const failed = await until(
      found => found?.operationState?.phase === 'Error',
    );
    expect(failed?.operationState?.message).toContain('unable to resolve');
  });

  it('applies to the hub what an Application deploys there, with each commit', async () => {
    git.repositories.create(SHOP);
    const placement = (sets: string) => `
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: shop, annotations: { note: 'kept in Git' } }
spec: ${sets}
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: not-simulated }
`;
    push({
      'fleet/shop/placement.yaml': placement(
        '{ numberOfClusters: 1, clusterSets: [a] }',
      ),
    });
    await stage.client.create(applications, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop-fleet', namespace: 'openshift-gitops' },
      spec: {
        project: 'default',
        source: {
          repoURL: `${git.url}/retail/shop.git`,
          path: 'fleet',
          directory: { recurse: true },
        },
        destination: {
          server: 'https://kubernetes.default.svc',
          namespace: 'openshift-gitops',
        },
        syncPolicy: { automated: { prune: false } },
      },
    } as Application);
    const applied = (check: (spec: object) => boolean) =>
      stage.until(
        placements,
        found => found.length === 1 && check(found[0].spec ?? {}) && found[0],
      );
    expect(await applied(() => true)).toMatchObject({
      metadata: {
        ...{ name: 'shop', namespace: 'openshift-gitops' },
        annotations: {
          note: 'kept in Git',
          'argocd.argoproj.io/tracking-id':
            'shop-fleet:cluster.open-cluster-management.io/Placement:openshift-gitops/shop',
        },
      },
      spec: { numberOfClusters: 1, clusterSets: ['a'] },
    });
    push({ 'fleet/shop/placement.yaml': placement('{ clusterSets: [b] }') });
    const changed = await applied(
      spec => 'clusterSets' in spec && String(spec.clusterSets) === 'b',
    );
    expect(changed.spec).not.toHaveProperty('numberOfClusters');
  });

  it('says what is missing, and goes on as soon as it is there', async () => {
    const condition = (text: string) =>
      until(
        found =>
          found?.conditions?.some(({ message }) => message.includes(text)) ??
          false,
      );
    await deploy({ path: 'app', targetRevision: 'main' });
    await condition('repository not found');
    git.repositories.create(SHOP);
    push({ 'README.md': 'Nothing yet' });
    await condition('app: app path does not exist');
    push({ 'app/shop.yaml': 'kind: [' });
    await condition('Failed to unmarshal "app/shop.yaml"');
    push({ 'app/shop.yaml': deployment('shop:1') });
    const status = await until(found => found?.sync?.status === 'Synced');
    expect(status?.conditions).toBeUndefined();
  });
});
