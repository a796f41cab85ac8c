import type { Entity } from '@backstage/catalog-model';
import type { CatalogProcessorResult } from '@backstage/plugin-catalog-node';
import { createApplicationSetRelationProcessor } from './applicationSetRelationProcessor';

async function dependencies(
  annotation: string,
  hubNames: readonly string[],
): Promise<string[]> {
  const entity: Entity = {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name: 'shop',
      annotations: { 'argocd-fleet/applicationset': annotation },
    },
  };
  const results: CatalogProcessorResult[] = [];
  await createApplicationSetRelationProcessor({ hubNames }).postProcessEntity?.(
    entity,
    { type: 'url', target: 'https://example.com' },
    result => results.push(result),
    { get: async () => undefined, set: async () => {} },
  );
  return results.flatMap(result =>
    result.type === 'relation' && result.relation.type === 'dependsOn'
      ? [result.relation.target.name]
      : [],
  );
}

it.each([
  ['the named hub', 'west:ns/shop', ['east', 'west'], 'west.ns.shop'],
  ['the only hub', 'ns/shop', ['east'], 'east.ns.shop'],
])(
  'depends on the ApplicationSet of %s',
  async (_, annotation, hubs, target) => {
    expect(await dependencies(annotation, hubs)).toEqual([target]);
  },
);

it.each([
  ['several hubs may have it', ['east', 'west']],
  ['no hub is configured here', []],
])(
  'adds no relation for an annotation without a hub when %s',
  async (_, hubs) => {
    expect(await dependencies('ns/shop', hubs)).toEqual([]);
  },
);
