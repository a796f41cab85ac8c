import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ArgocdFleetClient,
  ManifestsRequest,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import { parse } from 'yaml';
import { contextFor, refused } from '../__testUtils__/actionRun';
import { createRenderAction } from './renderAction';
import { renderExamples } from './renderAction.examples';

const { input } = parse(renderExamples[0].example).steps[0];

describe('argocd-fleet:render', () => {
  let workspacePath: string;
  const asked: [ObjectRef, ManifestsRequest, string | undefined][] = [];
  let failure: (() => Promise<Error>) | undefined;

  const action = createRenderAction({
    fleet: {
      getToken: async () => 'of-the-user',
      client: {
        async renderManifests(ref, body, request) {
          asked.push([ref, body, request?.token]);
          if (failure) {
            throw await failure();
          }
          const manifest = (kind: string, name: string) => ({
            ...{ apiVersion: 'v1', kind, metadata: { name } },
            spec: { name: '{{name}}-shop' },
          });
          return {
            placement: manifest('Placement', body.applicationSet.placement),
            applicationSet: manifest('ApplicationSet', ref.name),
          };
        },
      } as Partial<ArgocdFleetClient> as ArgocdFleetClient,
    },
  });

  beforeEach(async () => {
    asked.length = 0;
    failure = undefined;
    workspacePath = await mkdtemp(join(tmpdir(), 'render-'));
  });
  afterEach(() => rm(workspacePath, { recursive: true }));

  const read = (file: string) => readFile(join(workspacePath, file), 'utf8');

  it('writes what the hub would accept, and says how the hub gets it', async () => {
    const { ctx, outputs, log } = contextFor(input, { workspacePath });
    await action.handler(ctx);
    expect(asked).toEqual([
      [
        { hub: 'hub', namespace: 'openshift-gitops', name: 'shop' },
        {
          applicationSet: {
            placement: 'shop',
            source: {
              repoURL: 'https://git.example.com/retail/shop.git',
              path: 'deploy',
              targetRevision: 'main',
            },
            destinationNamespace: 'shop',
            project: 'default',
            automated: true,
            owner: 'group:default/retail',
          },
          placement: {
            clusterSets: ['aws-clusters'],
            matchLabels: { environment: 'production' },
          },
        },
        'of-the-user',
      ],
    ]);
    const { annotation, files, application, summary } = outputs();
    expect(annotation).toBe('hub:openshift-gitops/shop');
    expect(files).toEqual([
      'fleet/shop/placement.yaml',
      'fleet/shop/applicationset.yaml',
    ]);
    expect(parse(await read('fleet/shop/placement.yaml')).kind).toBe(
      'Placement',
    );
    expect(parse(await read('fleet/shop/applicationset.yaml'))).toEqual({
      apiVersion: 'v1',
      kind: 'ApplicationSet',
      metadata: { name: 'shop' },
      spec: { name: '{{name}}-shop' },
    });
    expect(parse(application as string)).toEqual({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'retail-shop-fleet', namespace: 'openshift-gitops' },
      spec: {
        project: 'default',
        source: {
          repoURL: 'https://git.example.com/retail/shop.git',
          path: 'fleet',
          targetRevision: 'main',
          directory: { recurse: true },
        },
        destination: {
          server: 'https://kubernetes.default.svc',
          namespace: 'openshift-gitops',
        },
        syncPolicy: { automated: { prune: false, selfHeal: true } },
      },
    });
    expect(summary).toContain(application);
    expect(log()).toEqual([
      'The hub would accept fleet/shop/placement.yaml',
      'The hub would accept fleet/shop/applicationset.yaml',
    ]);
  });

  it.each([
    ['git@git.example.com:Retail/Web_Shop.git', 'retail-web-shop-fleet'],
    ['https://git.example.com/a/b/c/', 'b-c-fleet'],
    [`https://x/o/${'n'.repeat(90)}`, `${'n'.repeat(50)}-fleet`],
  ])('names the Application of %s %s', async (cloneUrl, name) => {
    const { ctx, outputs } = contextFor(
      { ...input, keptIn: { cloneUrl } },
      { workspacePath },
    );
    await action.handler(ctx);
    const { metadata, spec } = parse(outputs().application as string);
    expect(metadata.name).toBe(name);
    expect(spec.source.targetRevision).toBe('HEAD');
  });

  it('asks the hub once, also where a restarted task runs it again after the hub has the objects', async () => {
    const kept = new Map<string, unknown>();
    const checkpoint = async ({
      key,
      fn,
    }: {
      key: string;
      fn(): Promise<unknown>;
    }) => {
      if (!kept.has(key)) {
        kept.set(key, JSON.parse(JSON.stringify(await fn())));
      }
      return kept.get(key);
    };
    const first = contextFor(input, { workspacePath, checkpoint });
    await action.handler(first.ctx);
    const before = await read('fleet/shop/applicationset.yaml');
    failure = () => refused(409, 'exists already');
    await rm(join(workspacePath, 'fleet'), { recursive: true });
    const second = contextFor(input, { workspacePath, checkpoint });
    await action.handler(second.ctx);
    expect(asked).toHaveLength(1);
    expect(await read('fleet/shop/applicationset.yaml')).toBe(before);
    expect(second.outputs()).toEqual(first.outputs());
  });

  it.each([403, 409, 503])(
    'says why the hub or the portal refuses (%d), and writes nothing',
    async status => {
      failure = () => refused(status, 'The reason');
      const { ctx } = contextFor(input, { workspacePath });
      await expect(action.handler(ctx)).rejects.toThrow(
        'Could not make the manifests of ApplicationSet openshift-gitops/shop on the hub "hub": The reason',
      );
      await expect(read('fleet/shop/placement.yaml')).rejects.toThrow('ENOENT');
    },
  );

  it('refuses where nothing could keep the files, before it asks', async () => {
    const { ctx } = contextFor(
      { ...input, keptIn: { cloneUrl: '' } },
      { workspacePath },
    );
    await expect(action.handler(ctx)).rejects.toThrow(
      'There is no repository for the manifests',
    );
    expect(asked).toEqual([]);
  });

  it('asks and writes nothing in a dry run', async () => {
    const { ctx, log } = contextFor(input, { workspacePath, isDryRun: true });
    await action.handler(ctx);
    expect(asked).toEqual([]);
    expect(log()).toEqual([
      expect.stringContaining(
        'Would write fleet/shop/placement.yaml and fleet/shop/applicationset.yaml: {"applicationSet":{"placement":"shop"',
      ),
    ]);
  });
});
