import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { Service } from '../scripts/services.mjs';
import { HubClient, type Json } from './src/hub/hubClient';

const NAMESPACE = 'openshift-gitops';
/** Requests to the hub at a time. */
const PARALLEL = 20;

/** A hub and a backend without any controller of Argo CD: the test writes what Argo CD would report. */
export interface LargeFleet {
  readonly url: string;
  /**
   * Creates an ApplicationSet of the catalog component `component` with an Application for each cluster, which the hub's
   * Argo CD delivers.
   */
  createSet(options: {
    readonly name: string;
    readonly component: string;
    readonly clusters: readonly string[];
    readonly status: Json;
  }): Promise<void>;
  /** Replaces fields of the status of the Applications on these clusters. */
  report(
    name: string,
    clusters: readonly string[],
    status: Json,
  ): Promise<void>;
  /** Waits until the catalog has the component. */
  untilInCatalog(component: string): Promise<void>;
  readonly hub: Pick<Service, 'pause' | 'resume' | 'stop'>;
  /** The portal's own process. */
  readonly backend: Pick<Service, 'pause' | 'resume'>;
  /** Starts a hub with nothing in it at the address of the one that was stopped. */
  startEmptyHub(): Promise<void>;
  stop(): Promise<void>;
}

export async function startLargeFleet(): Promise<LargeFleet> {
  const services = await import('../scripts/services.mjs');
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-large-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const hubOptions = { port: await services.freePort(), kubeconfig };
  let hub = await services.startHub(hubOptions);
  const client = await HubClient.connectWithFile(kubeconfig);
  await client.create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE },
  });
  const backend = await services.startBackend({
    port: await services.freePort(),
    kubeconfig,
  });

  return {
    url: backend.url,
    async createSet({ name, component, clusters, status }) {
      const { uid } = (await client.create(applicationSet(name, component)))
        .metadata;
      await inParallel(clusters, async cluster => {
        const application = pushedApplication(name, uid, cluster);
        await client.create(application);
        await client.patch(
          'applications',
          NAMESPACE,
          application.metadata.name,
          { status },
        );
      });
    },
    report: (name, clusters, status) =>
      inParallel(clusters, cluster =>
        client
          .patch('applications', NAMESPACE, `${cluster}-${name}`, { status })
          .then(() => {}),
      ),
    untilInCatalog: component =>
      services.untilInCatalog(backend, `component/default/${component}`),
    hub: {
      pause: () => hub.pause(),
      resume: () => hub.resume(),
      stop: () => hub.stop(),
    },
    backend,
    async startEmptyHub() {
      hub = await services.startHub(hubOptions);
    },
    async stop() {
      client.close();
      await backend.stop();
      await hub.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Keeps the pages of the browser that are live from asking again without an event: what they learn, the event stream
 * tells them. They would ask every 30 s (`safetyPoll` in `liveQuery.ts` of argocd-fleet); all their shorter waits go on.
 */
export async function neverPoll(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const { setTimeout } = window;
    const start = Date.now();
    // A page that finds the time for its question past relies on being about to ask.
    Date.now = () => start;
    window.setTimeout = ((act: () => void, delay = 0, ...rest: unknown[]) =>
      delay > 5_000 ? 0 : setTimeout(act, delay, ...rest)) as typeof setTimeout;
  });
}

/** Opens list, tab and card of a component in the page's browser, and waits until each is live and shows the text. */
export async function openPages(
  { url }: Pick<LargeFleet, 'url'>,
  page: Page,
  component: string,
  ready: RegExp,
): Promise<Record<'list' | 'tab' | 'card', Page>> {
  const pages = {
    list: page,
    tab: await page.context().newPage(),
    card: await page.context().newPage(),
  };
  const entity = `${url}/catalog/default/component/${component}`;
  await Promise.all([
    pages.list.goto(`${url}/argocd-fleet`),
    pages.tab.goto(`${entity}/fleet`),
    pages.card.goto(entity),
  ]);
  for (const one of Object.values(pages)) {
    await expect(one.getByText(ready).first()).toBeVisible();
    await expect(one.getByText('live', { exact: true })).toBeVisible();
  }
  return pages;
}

async function inParallel<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items].reverse();
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (let item = waiting.pop(); item; item = waiting.pop()) {
        await act(item);
      }
    }),
  );
}

const SOURCE = {
  repoURL: 'https://git.example.com/shop.git',
  path: 'shop',
  targetRevision: 'main',
};

function applicationSet(name: string, component: string): Json {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: {
      name,
      namespace: NAMESPACE,
      annotations: {
        'argocd-fleet/component': component,
        'argocd-fleet/component-owner': 'group:default/team-retail',
      },
    },
    spec: {
      generators: [{ list: { elements: [] } }],
      template: {
        metadata: { name: '{{cluster}}' },
        spec: { project: 'default', source: SOURCE, destination: {} },
      },
    },
  };
}

function pushedApplication(set: string, uid: string, cluster: string): Json {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: `${cluster}-${set}`,
      namespace: NAMESPACE,
      ownerReferences: [
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'ApplicationSet',
          name: set,
          uid,
        },
      ],
    },
    spec: {
      project: 'default',
      source: SOURCE,
      destination: { name: cluster, namespace: 'shop' },
    },
  };
}
