import { mockServices } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { createDefaultOwnerCheck } from './defaultOwnerCheck';

const OWNER: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Group',
  metadata: { name: 'operators' },
};

function check() {
  const logger = mockServices.logger.mock();
  const asked: string[] = [];
  const state: { owner?: Entity } = {};
  const task = createDefaultOwnerCheck({
    auth: mockServices.auth(),
    catalog: {
      getEntityByRef: async ref => {
        asked.push(String(ref));
        return state.owner;
      },
    },
    logger,
    defaultOwner: 'group:default/operators',
  });
  return { asked, logger, state, task };
}

describe('the check of the default owner', () => {
  it('warns once while the owner is missing, and says what to set', async () => {
    const { asked, logger, task } = check();
    await task.fn();
    await task.fn();
    expect(asked).toEqual([
      'group:default/operators',
      'group:default/operators',
    ]);
    expect(logger.warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /group:default\/operators, is not in the catalog.* Set catalog\.providers\.argocdFleet\.defaultOwner/,
        ),
      ],
    ]);
  });

  it('is silent while it exists, and warns again after it has gone', async () => {
    const { logger, state, task } = check();
    state.owner = OWNER;
    await task.fn();
    expect(logger.warn).not.toHaveBeenCalled();
    state.owner = undefined;
    await task.fn();
    expect(logger.warn).toHaveBeenCalledTimes(1);
  });
});
