import { componentRef, isFleetLocation, readEntities } from './catalogEntities';

describe('the entities of the catalog', () => {
  it('are components by the names in annotations, in lower case', () => {
    expect(componentRef('Shop_A')).toBe('component:default/shop_a');
  });

  it.each([
    ['argocd-fleet:hub/argocd/shop', true],
    ['url:https://example.com', false],
    ['argocd-fleetwide:hub', false],
    [undefined, false],
  ])('at %s are made by the catalog module: %s', (location, expected) => {
    expect(isFleetLocation(location)).toBe(expected);
  });

  it('are read once each, in parts', async () => {
    const refs = Array.from({ length: 450 }, (_, index) => `ref${index}`);
    const sizes: number[] = [];
    const found = await readEntities([...refs, ...refs], async part => {
      sizes.push(part.length);
      return { items: part.map(ref => (ref === 'ref7' ? undefined : ref)) };
    });
    expect(sizes).toEqual([200, 200, 50]);
    expect(found.size).toBe(449);
    expect(found.get('ref449')).toBe('ref449');
    expect(found.has('ref7')).toBe(false);
  });
});
