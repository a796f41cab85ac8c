import type { ArgoApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { applicationSet } from '../__testUtils__/applications';
import {
  applicationSetComponent,
  type ComponentPolicy,
} from './applicationSetComponent';

const byDefault: ComponentPolicy = {
  namespaces: new Set(['openshift-gitops']),
  keepsExisting: true,
};

const withList: ComponentPolicy = { ...byDefault, keepsExisting: false };

function setIn(
  namespace: string,
  annotations: Record<string, string>,
): ArgoApplicationSet {
  const set = applicationSet();
  return { ...set, metadata: { ...set.metadata, namespace, annotations } };
}

const shop = { 'argocd-fleet/component': 'shop' };

describe('the component that an ApplicationSet defines', () => {
  it('is none without the annotation', () => {
    expect(
      applicationSetComponent(
        setIn('team-a', { 'argocd-fleet/component-owner': 'team-a' }),
        withList,
      ),
    ).toEqual({});
  });

  it('has what the annotations say', () => {
    expect(
      applicationSetComponent(
        setIn('openshift-gitops', {
          ...shop,
          'argocd-fleet/component-owner': 'team-a',
          'argocd-fleet/component-title': 'Web shop',
          'argocd-fleet/component-description': 'Sells things',
        }),
        byDefault,
      ),
    ).toEqual({
      component: {
        name: 'shop',
        owner: 'team-a',
        title: 'Web shop',
        description: 'Sells things',
      },
    });
  });

  it('tenant → other team’s component: a namespace that is not listed defines none', () => {
    const { component, problem } = applicationSetComponent(
      setIn('team-attacker', shop),
      withList,
    );
    expect(component).toBeUndefined();
    expect(problem).toMatchObject({
      code: 'AFC-306',
      object: { kind: 'ApplicationSet', namespace: 'team-attacker' },
      fix: {
        description: expect.stringContaining(
          'add team-attacker to argocdFleet.components.namespaces',
        ),
      },
    });
  });

  it('may only stay in another namespace where none is listed', () => {
    const { component, problem } = applicationSetComponent(
      setIn('team-a', shop),
      byDefault,
    );
    expect(component).toEqual({ name: 'shop', existingOnly: true });
    expect(problem?.code).toBe('AFC-306');
  });

  it.each(['a b', '../shop', 'group:default/shop', 'x'.repeat(64), ''])(
    'has no name %j',
    name => {
      const { component, problem } = applicationSetComponent(
        setIn('openshift-gitops', { 'argocd-fleet/component': name }),
        byDefault,
      );
      expect(component).toBeUndefined();
      expect(problem?.code).toBe('AFC-307');
    },
  );

  it('tenant → reader of the catalog: texts are one short line without control characters', () => {
    const { component } = applicationSetComponent(
      setIn('openshift-gitops', {
        ...shop,
        'argocd-fleet/component-owner': `group:default/${'x'.repeat(200_000)}`,
        'argocd-fleet/component-title': `A\n\u202eB${'\u{1F600}'.repeat(500)}`,
        'argocd-fleet/component-description': `see https://user:secret@example.com/ ${'x'.repeat(200_000)}`,
      }),
      byDefault,
    );
    const { owner = '', title = '', description = '' } = component!;
    expect(owner).toMatch(/^group:default\/x+…$/);
    expect([...owner]).toHaveLength(200);
    expect([...title]).toHaveLength(100);
    expect(title).toMatch(/^A \uFFFDB(\u{1F600})+…$/u);
    expect([...description]).toHaveLength(500);
    expect(description).not.toContain('secret');
  });
});
