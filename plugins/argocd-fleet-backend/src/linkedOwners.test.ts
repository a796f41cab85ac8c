import { mockServices } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { createLinkedOwners } from './linkedOwners';

function entity(name: string, annotation?: string, ...owners: string[]) {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name,
      namespace: 'default',
      ...(annotation !== undefined && {
        annotations: { 'argocd-fleet/applicationset': annotation },
      }),
    },
    relations: [
      ...owners.map(targetRef => ({ type: 'ownedBy', targetRef })),
      { type: 'partOf', targetRef: 'system:default/shop' },
    ],
  } satisfies Entity;
}

function ownersIn(entities: Entity[]) {
  let catalog = catalogServiceMock({ entities });
  const onChange = jest.fn();
  const { of, task } = createLinkedOwners({
    auth: mockServices.auth(),
    catalog: { streamEntities: (...args) => catalog.streamEntities(...args) },
    onChange,
  });
  return {
    onChange,
    of: (hub: string, name: string) => of({ hub, namespace: 'argocd', name }),
    read: () => task.fn(new AbortController().signal),
    replace(next: Entity[]) {
      catalog = catalogServiceMock({ entities: next });
    },
    fail() {
      catalog = {
        streamEntities: () => ({
          [Symbol.asyncIterator]: () => ({
            next: () => Promise.reject(new Error('The catalog is down')),
          }),
        }),
      } as unknown as typeof catalog;
    },
  };
}

describe('the owners of linked entities', () => {
  it('are not known before the catalog was read', async () => {
    const owners = ownersIn([]);
    expect(owners.of('hub', 'shop')).toBeUndefined();
    await owners.read();
    expect(owners.of('hub', 'shop')).toEqual([]);
  });

  it('are those of every entity that links, on the hub that it names or on all', async () => {
    const owners = ownersIn([
      entity('a', 'hub:argocd/shop, argocd/web', 'Group:default/Team-A'),
      entity('b', 'other:argocd/shop', 'group:default/team-b'),
      entity('c', 'argocd/shop', 'user:default/carla'),
      entity('d', undefined, 'group:default/team-d'),
      entity('e', 'no reference', 'group:default/team-e'),
    ]);
    await owners.read();
    expect(owners.of('hub', 'shop')).toEqual([
      'group:default/team-a',
      'user:default/carla',
    ]);
    expect(owners.of('other', 'shop')).toEqual([
      'group:default/team-b',
      'user:default/carla',
    ]);
    expect(owners.of('third', 'web')).toEqual(['group:default/team-a']);
  });

  it('stay while the catalog is down, and are reported only when they change', async () => {
    const owners = ownersIn([entity('a', 'argocd/shop', 'group:default/a')]);
    await owners.read();
    await owners.read();
    expect(owners.onChange).toHaveBeenCalledTimes(1);
    owners.fail();
    await expect(owners.read()).rejects.toThrow('The catalog is down');
    expect(owners.of('hub', 'shop')).toEqual(['group:default/a']);
    owners.replace([]);
    await owners.read();
    expect(owners.of('hub', 'shop')).toEqual([]);
    expect(owners.onChange).toHaveBeenCalledTimes(2);
  });
});
