import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitServer, startGitServer } from 'git-server';

import { FleetOnHub, startHubForFleets } from './__testUtils__/fleetOnHub';
import { Application } from './kubernetes/argocdTypes';
import { applications } from './kubernetes/resources';

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
