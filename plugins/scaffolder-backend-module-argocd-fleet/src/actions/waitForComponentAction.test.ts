import type { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import { createWaitForComponentAction } from './waitForComponentAction';

const entityRef = 'component:default/guestbook';
const applicationSet = 'hub:openshift-gitops/guestbook';

function guestbook(annotations: Record<string, string>): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'guestbook', annotations },
  };
}

async function waitFor(options: {
  entity?: Entity;
  appearsAtLook?: number;
  timeoutSeconds?: number;
}) {
  const { entity, appearsAtLook = 1, timeoutSeconds } = options;
  let looks = 0;
  const action = createWaitForComponentAction({
    catalog: catalogServiceMock.mock({
      getEntityByRef: async () => {
        looks++;
        return looks >= appearsAtLook ? entity : undefined;
      },
    }),
    pollMs: 1,
  });
  await action.handler(
    createMockActionContext({
      input: { entityRef, applicationSet, timeoutSeconds },
      workspacePath: '/nowhere',
    }),
  );
  return looks;
}

describe('argocd-fleet:component:wait', () => {
  it.each([
    applicationSet,
    'openshift-gitops/guestbook',
    `other:ns/name, ${applicationSet}`,
  ])('goes on when the component appears with %j', async annotation => {
    const looks = await waitFor({
      entity: guestbook({ 'argocd-fleet/applicationset': annotation }),
      appearsAtLook: 3,
    });
    expect(looks).toBe(3);
  });

  it('says what to do when the name was taken', async () => {
    const entity = guestbook({
      'backstage.io/managed-by-location': 'url:https://example.com/guestbook',
    });
    const waiting = waitFor({ entity, timeoutSeconds: 0.01 });
    await expect(waiting).rejects.toThrow(
      'component:default/guestbook was in the catalog before, from url:https://example.com/guestbook',
    );
    await expect(waiting).rejects.toThrow(
      'kubectl delete applicationsets.argoproj.io guestbook -n openshift-gitops',
    );
  });

  it('says what may be missing when the component does not come', async () => {
    await expect(waitFor({ timeoutSeconds: 0.01 })).rejects.toThrow(
      'Is the catalog module of Argo CD Fleet installed',
    );
  });
});
