import { annotate } from './catalogFile';

const KEY = 'argocd-fleet/applicationset';
const SHOP = { kind: 'Component', namespace: 'default', name: 'shop' };
const add = (text: string, entity = SHOP) =>
  annotate(text, entity, KEY, present =>
    present ? `${present},hub:a/b` : 'hub:a/b',
  );

describe('an annotation in a catalog file', () => {
  it.each([
    [
      'is added to the present value, in the right document',
      `kind: API\nmetadata: { name: shop }\n---\n# Ours.\nkind: Component\nmetadata:\n  name: shop\n  annotations:\n    ${KEY}: "hub:a/a" # first\n    x/y: z\n`,
      `kind: API\nmetadata: { name: shop }\n---\n# Ours.\nkind: Component\nmetadata:\n  name: shop\n  annotations:\n    ${KEY}: hub:a/a,hub:a/b # first\n    x/y: z\n`,
    ],
    [
      'is added to others',
      'kind: component\nmetadata:\n    name: shop\n    annotations:\n        # About it.\n        x/y: z\n',
      `kind: component\nmetadata:\n    name: shop\n    annotations:\n        # About it.\n        ${KEY}: hub:a/b\n        x/y: z\n`,
    ],
    [
      'is the first one',
      'kind: Component\nmetadata:\n  # Its name.\n  name: shop\nspec: {}\n',
      `kind: Component\nmetadata:\n  # Its name.\n  annotations:\n    ${KEY}: hub:a/b\n  name: shop\nspec: {}\n`,
    ],
  ])('%s', (_, text, expected) => {
    expect(add(text)).toBe(expected);
  });

  it.each([
    ['no such entity', 'kind: Component\nmetadata:\n  name: other\n'],
    [
      'one of another namespace',
      'kind: Component\nmetadata:\n  name: shop\n  namespace: other\n',
    ],
    ['metadata in braces', 'kind: Component\nmetadata: { name: shop }\n'],
    [
      'annotations in braces',
      'kind: Component\nmetadata:\n  name: shop\n  annotations: { x/y: z }\n',
    ],
    [
      'empty annotations',
      'kind: Component\nmetadata:\n  name: shop\n  annotations:\n',
    ],
    ['broken text', 'kind: Component\nmetadata: [\n'],
    ['a template', 'kind: {{ x }}\n'],
  ])('is left to a person in %s', (_, text) => {
    expect(add(text)).toBeUndefined();
  });
});
