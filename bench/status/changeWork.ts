// Changes reported statuses as the agents do: changeWork.ts KUBECONFIG. Its parent names the works.
import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import { createHubCalls } from '../controllers/hubCalls';
import { createHealthChange, type WorkName } from './workHealth';

const [kubeconfig] = process.argv.slice(2);
const { call, close } = createHubCalls(kubeconfig);
const change = createHealthChange(call);
const ANNOTATION = 'apps.open-cluster-management.io/hub-application-';
const WORKS = '/apis/work.open-cluster-management.io/v1/manifestworks';
const PAGE = 500;

/** Changes a work, or one work of each cluster, evenly spread over the seconds. */
type Order = WorkName | { readonly seconds: number };

/** One work of each cluster, by the key of its Application. */
async function oneOfEachCluster(): Promise<ReadonlyMap<string, WorkName>> {
  const found = new Map<string, readonly [string, WorkName]>();
  let token: string | undefined;
  do {
    const page = await call<{
      readonly items: readonly ManifestWork[];
      readonly metadata: { readonly continue?: string };
    }>(
      'GET',
      `${WORKS}?limit=${PAGE}${token ? `&continue=${encodeURIComponent(token)}` : ''}`,
    );
    for (const { metadata, status } of page.items) {
      const { namespace = '', name, annotations = {} } = metadata;
      if (status?.resourceStatus && !found.has(namespace)) {
        const key = ['namespace', 'name']
          .map(part => annotations[`${ANNOTATION}${part}`])
          .join('/');
        found.set(namespace, [key, { namespace, name }]);
      }
    }
    token = page.metadata.continue;
  } while (token);
  return new Map(found.values());
}

/** When the hub had each change, in milliseconds since the epoch, by the key of its Application. */
async function changeAll(seconds: number): Promise<Record<string, number>> {
  const works = [...(await oneOfEachCluster())];
  const changedAt: Record<string, number> = {};
  const startedAt = performance.now();
  await Promise.all(
    works.map(async ([key, work], index) => {
      const due = startedAt + (index * seconds * 1000) / works.length;
      await new Promise(resolve => {
        setTimeout(resolve, Math.max(0, due - performance.now()));
      });
      await change(work);
      changedAt[key] = Date.now();
    }),
  );
  return changedAt;
}

process.on('message', (order: Order | 'stop') => {
  if (order === 'stop') {
    void close().then(() => process.disconnect());
    return;
  }
  const done =
    'seconds' in order
      ? changeAll(order.seconds).then(changedAt => ({ changedAt }))
      : change(order).then(() => 'changed');
  done.then(
    result => process.send?.({ bench: result }),
    error => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    },
  );
});
process.send?.({ bench: 'ready' });
