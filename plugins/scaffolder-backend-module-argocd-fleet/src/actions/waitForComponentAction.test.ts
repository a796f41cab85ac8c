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
  appearsAtRequest?: number;
  timeoutSeconds?: number;
}) {
  const { entity, appearsAtRequest = 1, timeoutSeconds } = options;
  let requests = 0;
  const action = createWaitForComponentAction({
    catalog: catalogServiceMock.mock({
      getEntityByRef: async () => {
        requests++;
        return requests >= appearsAtRequest ? entity : undefined;
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
  return requests;
}

describe('argocd-fleet:component:wait', () => {
  it.each([
    applicationSet,
    'openshift-gitops/guestbook',
    `other:ns/name, ${applicationSet}`,
  ])('ends when the component appears with %j', async annotation => {
    const requests = await waitFor({
      entity: guestbook({ 'argocd-fleet/applicationset': annotation }),
      appearsAtRequest: 3,
    });
    expect(requests).toBe(3);
  });

  it('says what to do when another component has the name', async () => {
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

  it('says what may be missing when the component does not appear', async () => {
    await expect(waitFor({ timeoutSeconds: 0.01 })).rejects.toThrow(
      'Is the catalog module of Argo CD Fleet installed',
    );
  });
});
