import { argocdFleetApplicationSetDeletePermission } from 'backstage-plugin-argocd-fleet-common';
import {
  NAMESPACE,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../../__testUtils__/objects';
import { putGitOpsCluster } from '../../../api/clusterImportWrites';
import {
  deleteApplicationSet,
  deletePlacement,
  orderRelease,
} from '../../../api/hubDeletions';
import { putApplicationSet, putPlacement } from '../../../api/hubWrites';
import type { OwnAccess } from '../../../api/writeAccess';
import { APP, type Scenario, type Stage } from './scenario';

const SET = { namespace: NAMESPACE, name: 'set' };

async function ownedApplication({ testHub }: Stage, name: string) {
  const set = await testHub.admin.get('applicationSets', SET);
  return pullApplication(name, 'one', ownedBy(set));
}

async function reportedRows({ testHub }: Stage) {
  const report = await testHub.admin.get('reports', SET);
  return report?.statuses.clusterConditions?.length ?? 0;
}

export const aggregating: Scenario = {
  controllers: ['aggregation'],
  prepare: ({ admin }) =>
    admin.create('applicationSets', pullApplicationSet(SET.name)),
  steps: [
    {
      act: stage =>
        Promise.all(
          ['app', 'second'].map(async name =>
            stage.testHub.admin.create(
              'applications',
              await ownedApplication(stage, name),
            ),
          ),
        ),
      isDone: async stage => (await reportedRows(stage)) === 2,
    },
    {
      act: ({ testHub }) =>
        testHub.admin.patch('reports', SET, {
          statuses: { clusterConditions: [] },
        }),
      isDone: async stage => (await reportedRows(stage)) === 2,
    },
    {
      act: ({ testHub }) =>
        Promise.all(
          ['app', 'second'].map(name =>
            testHub.admin.delete('applications', { ...APP, name }),
          ),
        ),
      isDone: async ({ testHub }) =>
        (await testHub.admin.get('reports', SET)) === undefined,
    },
  ],
};

const source = {
  repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
  path: 'guestbook',
};

const ALLOWED = { all: true, allows: () => true, mightAllow: () => true };
/** The portal allows the caller every write: the rights on the hub are what is tested. */
const EVERYTHING = {
  create: ALLOWED,
  update: ALLOWED,
  read: ALLOWED,
  ownershipRefs: new Set<string>(),
};

/** The API's writes for the scaffolder actions. */
export const creating: Scenario = {
  controllers: ['propagation'],
  steps: [
    {
      // Whose a Placement is that exists, the ApplicationSets in the cache say: until they are listed, a write is refused.
      act: async () => {},
      isDone: ({ hub }) => hub.cache.state().state === 'ready',
    },
    ...[1, 2].map(numberOfClusters => ({
      act: ({ hub }: Stage) =>
        putPlacement(
          hub,
          { hub: 'hub', namespace: NAMESPACE, name: 'demo' },
          { clusterSets: ['global'], numberOfClusters },
          EVERYTHING,
        ),
      isDone: () => true,
    })),
    ...['demo', 'other'].map(destinationNamespace => ({
      act: ({ hub }: Stage) =>
        putApplicationSet(
          hub,
          { hub: 'hub', ...SET },
          {
            placement: 'demo',
            destinationNamespace,
            source,
            automated: true,
            project: 'default',
          },
          EVERYTHING,
        ),
      isDone: () => true,
    })),
  ],
};

/** The API's write of a GitOpsCluster. */
export const importing: Scenario = {
  controllers: ['propagation'],
  steps: [
    ...creating.steps.slice(0, 2),
    {
      act: ({ hub }) =>
        putGitOpsCluster(
          hub,
          { hub: 'hub', namespace: NAMESPACE, name: 'demo' },
          { placement: 'demo' },
          EVERYTHING,
        ),
      isDone: () => true,
    },
  ],
};

/** As {@link EVERYTHING}, for what exists. */
const OWN: OwnAccess = {
  permission: argocdFleetApplicationSetDeletePermission,
  decision: ALLOWED,
  read: ALLOWED,
  ownershipRefs: new Set(),
};

const order = ({ hub }: Stage) =>
  orderRelease(hub, { hub: 'hub', ...SET }, 'remove', OWN);

const UNUSED = { hub: 'hub', namespace: NAMESPACE, name: 'unused' };

/** The API's deletions for the scaffolder actions. */
export const deleting: Scenario = {
  controllers: ['propagation'],
  steps: [
    ...creating.steps,
    {
      act: order,
      isDone: async stage => (await order(stage)).stored,
    },
    {
      act: ({ hub }) => deleteApplicationSet(hub, { hub: 'hub', ...SET }, OWN),
      isDone: async ({ testHub }) => {
        const set = await testHub.admin.get('applicationSets', SET);
        return !set || set.metadata.deletionTimestamp !== undefined;
      },
    },
    {
      act: ({ hub }) =>
        putPlacement(hub, UNUSED, { clusterSets: ['global'] }, EVERYTHING),
      isDone: () => true,
    },
    {
      act: ({ hub }) => deletePlacement(hub, UNUSED, OWN),
      isDone: async ({ testHub }) =>
        (await testHub.admin.get('placements', UNUSED)) === undefined,
    },
  ],
};
