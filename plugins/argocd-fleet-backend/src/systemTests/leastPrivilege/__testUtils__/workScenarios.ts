import type {
  KubernetesObject,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { CRDS } from '../../../__testUtils__/emptyHub';
import { NAMESPACE, pullApplication } from '../../../__testUtils__/objects';
import {
  APP,
  applicationExists,
  FINALIZER,
  hasFinding,
  type Scenario,
  type Stage,
  type Step,
} from './scenario';

async function onlyWork({ testHub }: Stage) {
  const [work] = await testHub.admin.list('works');
  return work;
}

/** A work's spec as text; empty without a work. */
function workText(work: ManifestWork | undefined): string {
  return JSON.stringify(work?.spec ?? '');
}

const deliver: Step = {
  act: ({ testHub }) =>
    testHub.admin.create(
      'applications',
      pullApplication('app', 'one', { finalizers: [FINALIZER] }),
    ),
  isDone: async stage => (await onlyWork(stage)) !== undefined,
};

export const reading: Scenario = {
  controllers: [],
  steps: [
    {
      act: async () => {},
      isDone: ({ hub }) => hub.cache.state().state === 'ready',
    },
  ],
};

/**
 * Observe mode on a hub whose ManifestWork CRD lacks a field and where RHACM runs: the backend reports it without a
 * write.
 */
export const observing: Scenario = {
  controllers: ['propagation'],
  observe: true,
  async prepare({ admin }) {
    const name = 'manifestworks.work.open-cluster-management.io';
    const crd = await admin.client.get(CRDS, { name });
    const text = JSON.stringify(crd.spec).replaceAll(
      'feedbackScrapeType',
      'somethingElse',
    );
    await admin.client.patch(CRDS, { name }, { spec: JSON.parse(text) });
  },
  steps: [
    {
      act: async () => {},
      isDone: ({ hub }) => hasFinding(hub, 'AFC-404'),
    },
  ],
  failedSilently: ({ hub }) =>
    hub.runners.some(runner => runner.status().lastPassAt !== undefined) &&
    !hasFinding(hub, 'AFC-404'),
};

export const propagating: Scenario = {
  controllers: ['propagation'],
  steps: [
    deliver,
    {
      act: ({ testHub }) =>
        testHub.admin.patch('applications', APP, {
          spec: { source: { path: 'changed' } },
        }),
      isDone: async stage =>
        workText(await onlyWork(stage)).includes('"changed"'),
    },
    {
      act: ({ testHub }) => testHub.admin.delete('applications', APP),
      isDone: async stage =>
        !(await applicationExists(stage)) &&
        (await onlyWork(stage)) === undefined,
    },
  ],
};

export const deliveringAppProjects: Scenario = {
  controllers: ['propagation'],
  includeAppProject: true,
  prepare: ({ admin }) =>
    admin.create('appProjects', {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'team', namespace: NAMESPACE },
      spec: {},
    } as KubernetesObject),
  steps: [
    {
      act: ({ testHub }) => {
        const application = pullApplication('app', 'one');
        return testHub.admin.create('applications', {
          ...application,
          spec: { ...application.spec, project: 'team' },
        } as KubernetesObject);
      },
      isDone: async stage =>
        workText(await onlyWork(stage)).includes('"AppProject"'),
    },
  ],
  failedSilently: ({ hub }) => hasFinding(hub, 'AFC-112'),
};

export const updatingStatus: Scenario = {
  controllers: ['propagation', 'applicationStatus'],
  steps: [
    deliver,
    {
      async act(stage) {
        const work = await onlyWork(stage);
        await stage.testHub.patchStatus(
          'works',
          work.metadata,
          reportedHealth('Degraded'),
        );
      },
      isDone: async ({ testHub }) =>
        (await testHub.admin.get('applications', APP))?.status?.health
          ?.status === 'Degraded',
    },
  ],
};

function reportedHealth(health: string) {
  const condition = {
    type: 'Applied',
    status: 'True',
    reason: 'Test',
    message: '',
    lastTransitionTime: '2026-11-21T10:00:00Z',
    observedGeneration: 1,
  };
  const values = { healthStatus: health, syncStatus: 'Synced' };
  return {
    conditions: [condition],
    resourceStatus: {
      manifests: [
        {
          resourceMeta: {
            ordinal: 0,
            group: 'argoproj.io',
            version: 'v1alpha1',
            kind: 'Application',
            resource: 'applications',
            ...APP,
          },
          conditions: [condition],
          statusFeedback: {
            values: Object.entries(values).map(([name, string]) => ({
              name,
              fieldValue: { type: 'String', string },
            })),
          },
        },
      ],
    },
  };
}
