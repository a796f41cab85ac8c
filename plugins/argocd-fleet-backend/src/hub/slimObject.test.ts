import { readApplicationStatus } from '../model';
import { application } from '../model/testing/applications';
import { slimObject } from './slimObject';

it('keeps of a sync what it could not apply, and nothing else', () => {
  const failed = [
    {
      kind: 'Deployment',
      name: 'web',
      status: 'SyncFailed',
      message: 'deployments.apps is forbidden',
    },
    { kind: 'Job', name: 'migrate', status: 'Synced', hookPhase: 'Failed' },
    { kind: 'Job', name: 'seed', status: 'Synced', hookPhase: 'Error' },
  ];
  const whole = {
    ...application(),
    status: {
      operationState: {
        phase: 'Failed',
        operation: { sync: { revision: 'abc' } },
        syncResult: {
          revision: 'abc',
          resources: [
            { kind: 'Service', name: 'web', status: 'Synced' },
            { kind: 'Job', name: 'done', hookPhase: 'Succeeded' },
            ...failed,
          ],
        },
      },
    },
  };
  const slim = slimObject(whole);
  expect(slim.status.operationState).toEqual({
    phase: 'Failed',
    syncResult: { resources: failed },
  });
  expect(readApplicationStatus(slim)).toEqual(readApplicationStatus(whole));
  expect(readApplicationStatus(slim).failedResources).toHaveLength(3);
});
