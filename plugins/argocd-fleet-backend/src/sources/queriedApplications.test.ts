import {
  APP_NAMESPACE_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../__testUtils__/emptyCache';
import { pullApplication } from '../__testUtils__/objects';
import { workOf } from '../model/__testUtils__/works';
import { listQueriedApplications } from './queriedApplications';

it('asks for what a tenant’s Application delivered, not for the victim’s that its annotation names', async () => {
  const cache = emptyCache();
  const mine = pullApplication('web', 'one', {
    namespace: 'tenant',
    uid: '11111111-0000-4000-8000-000000000000',
  });
  cache.applyWriteResult('works', workOf(mine));
  cache.applyWriteResult('applications', {
    ...mine,
    metadata: {
      ...mine.metadata,
      annotations: {
        [MANAGED_CLUSTER_ANNOTATION]: 'one',
        [APP_NAMESPACE_ANNOTATION]: 'victim',
      },
    },
  });
  expect(await listQueriedApplications(cache)).toMatchObject([
    {
      application: { namespace: 'tenant', name: 'web' },
      onCluster: { namespace: 'tenant', name: 'web' },
      cluster: 'one',
    },
  ]);
});
