import { entityLinks, type LinkHub } from './entityLinks';

function hub(name: string, sets: string[], listed = true): LinkHub {
  return {
    name,
    listed,
    has: ref => sets.includes(`${ref.namespace}/${ref.name}`),
  };
}

const hubs = [
  hub('eu', ['gitops/guestbook']),
  hub('us', ['gitops/guestbook', 'gitops/web']),
  hub('ap', [], false),
];

const shown = (annotation: string, on = hubs) =>
  entityLinks({ 'argocd-fleet/applicationset': annotation }, on).links.map(
    ({ ref, state }) => `${ref.hub}:${ref.namespace}/${ref.name} ${state}`,
  );

describe('an entity is linked', () => {
  it.each<[string, string[]]>([
    [
      'gitops/guestbook',
      ['eu:gitops/guestbook found', 'us:gitops/guestbook found'],
    ],
    ['us:gitops/guestbook', ['us:gitops/guestbook found']],
    [
      ' gitops/web , eu:gitops/guestbook,, us:gitops/web ',
      ['us:gitops/web found', 'eu:gitops/guestbook found'],
    ],
    ['eu:gitops/none', ['eu:gitops/none missing']],
    ['zz:gitops/web', ['zz:gitops/web hubUnknown']],
    ['ap:gitops/web', ['ap:gitops/web hubUnavailable']],
    ['gitops/none', ['ap:gitops/none hubUnavailable']],
  ])('by %j', (annotation, expected) => {
    expect(shown(annotation)).toEqual(expected);
  });

  it('to an ApplicationSet missing on the default hub, once all hubs have been read', () => {
    expect(shown('gitops/none', hubs.slice(0, 2))).toEqual([
      'eu:gitops/none missing',
    ]);
  });

  it('with the annotation as the reason', () => {
    const annotations = { 'argocd-fleet/applicationset': 'gitops/web' };
    expect(entityLinks(annotations, hubs)).toEqual({
      links: [
        {
          ref: { hub: 'us', namespace: 'gitops', name: 'web' },
          via: 'annotation argocd-fleet/applicationset',
          state: 'found',
        },
      ],
    });
  });

  it.each<Record<string, string> | undefined>([undefined, {}, { other: 'x' }])(
    'to nothing by %j',
    annotations => {
      expect(entityLinks(annotations, hubs)).toEqual({ links: [] });
    },
  );
});

describe('an annotation that cannot be read', () => {
  it.each([
    ['guestbook', '“guestbook”'],
    ['a/b/c', '“a/b/c”'],
    ['Gitops/web', '“Gitops/web”'],
    ['gitops/', '“gitops/”'],
    ['a:b:gitops/web', '“a:b:gitops/web”'],
    [' , ', 'is empty'],
    ['', 'is empty'],
  ])('%j is reported, with the right syntax', (annotation, what) => {
    const { links, problem } = entityLinks(
      { 'argocd-fleet/applicationset': annotation },
      hubs,
    );
    expect(links).toEqual([]);
    expect(problem).toContain(what);
    expect(problem).toContain('<namespace>/<name>');
  });

  it('does not hide the entries that can be read', () => {
    const { links, problem } = entityLinks(
      { 'argocd-fleet/applicationset': 'oops, gitops/web' },
      hubs,
    );
    expect(links).toHaveLength(1);
    expect(problem).toContain('“oops”');
    expect(problem).not.toContain('“gitops/web”');
  });
});
