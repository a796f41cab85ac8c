import { parse } from 'yaml';
import { contextFor, refused } from '../__testUtils__/actionRun';
import type { FleetAccess } from '../fleetAccess';
import { createEnsureGitOpsClusterAction } from './ensureGitOpsClusterAction';
import { ensureGitOpsClusterExamples } from './ensureGitOpsClusterAction.examples';

const { input } = parse(ensureGitOpsClusterExamples[0].example).steps[1];

function actionWith(put: FleetAccess['client']['putGitOpsCluster']) {
  return createEnsureGitOpsClusterAction({
    fleet: {
      client: { putGitOpsCluster: put } as FleetAccess['client'],
      getToken: async () => 'token',
    },
  });
}

describe('argocd-fleet:gitopscluster:ensure', () => {
  it('asks as the user, and says which one imports the clusters', async () => {
    const put = jest.fn(async ref => ({
      ref: { ...ref, name: 'older' },
      result: 'unchanged' as const,
    }));
    const { ctx, outputs } = contextFor(input);
    await actionWith(put).handler(ctx);
    expect(put).toHaveBeenCalledWith(
      { hub: 'hub', namespace: 'openshift-gitops', name: 'every-cluster' },
      { placement: 'every-cluster' },
      expect.objectContaining({ token: 'token' }),
    );
    expect(outputs()).toEqual({
      ...{ hub: 'hub', namespace: 'openshift-gitops', name: 'older' },
      result: 'unchanged',
    });
  });

  it('sends nothing in a dry run', async () => {
    const put = jest.fn();
    const { ctx, outputs } = contextFor(input, { isDryRun: true });
    await actionWith(put).handler(ctx);
    expect(put).not.toHaveBeenCalled();
    expect(outputs()).toMatchObject({ result: 'dryRun' });
  });

  it('fails with what the API refuses', async () => {
    const { ctx } = contextFor({ ...input, name: 'other' });
    await expect(
      actionWith(async () => {
        throw await refused(403, 'You may not have clusters imported');
      }).handler(ctx),
    ).rejects.toThrow(
      'Could not create GitOpsCluster openshift-gitops/other on the hub "hub": You may not have clusters imported',
    );
  });
});
