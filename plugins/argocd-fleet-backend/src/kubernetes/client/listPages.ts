import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import type {
  KubernetesClient,
  ListOptions,
  ListPage,
  ObjectSelector,
  RequestOptions,
  ResourceType,
} from './client';

const PAGE_SIZE = 500;

/** Lists a resource page by page, to its end. */
export async function* listPages<T extends KubernetesObject>(
  client: KubernetesClient,
  resource: ResourceType<T>,
  selection: Omit<ListOptions<T>, 'limit' | 'continue'>,
): AsyncGenerator<ListPage<T>> {
  let token: string | undefined;
  do {
    const page = await client.list(resource, {
      ...selection,
      limit: PAGE_SIZE,
      continue: token,
    });
    yield page;
    token = page.continue;
  } while (token);
}

/** Lists all objects of a selection. */
export async function listAll<T extends KubernetesObject>(
  client: KubernetesClient,
  resource: ResourceType<T>,
  selection: ObjectSelector & RequestOptions,
): Promise<T[]> {
  const items: T[] = [];
  for await (const page of listPages(client, resource, selection)) {
    items.push(...page.items);
  }
  return items;
}
