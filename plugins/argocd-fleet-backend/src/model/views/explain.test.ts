import {
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  SKIP_RECONCILE_ANNOTATION,
  type ArgoApplication,
  type DeliveryStep,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  application,
  forbidden,
  managedCluster,
  revision,
} from '../__testUtils__/applications';
import { reportedWork, workOf } from '../__testUtils__/works';
import { applicationFindings } from '../findings/applicationFindings';
import { removalFindings } from '../findings/removalFindings';
import { freezePatch } from '../removal/frozenWork';
import { releasePatch } from '../removal/release';
import { apparentDecision } from '../removal/workRemoval';
import { clusterApplication, problemOf } from './clusterApplication';
import type { FleetApplication } from './fleetApplication';
import { lastChange, summaryRow } from './summaryRow';
import { versionsOf } from './versions';

const feedback = {
  healthStatus: 'Healthy',
  syncStatus: 'Synced',
  operationStatePhase: 'Succeeded',
  operationStateStartedAt: '2026-11-21T10:02:00Z',
  syncRevision: revision,
};
const failing = {
  ...feedback,
  healthStatus: 'Missing',
  syncStatus: 'OutOfSync',
  operationStatePhase: 'Failed',
};

function fleet(parts: Partial<FleetApplication> = {}): FleetApplication {
  return {
    application: application(),
    managedCluster: managedCluster('cluster1'),
    argocdNamespace: 'openshift-gitops',
    placement: 'aws-app-placement',
    decided: true,
    plan: {
      kind: 'apply',
      target: { namespace: 'cluster1', name: 'work' },
      work: workOf(),
    },
    work: reportedWork({ feedback }),
    ...parts,
  };
}

function reported(parts: Parameters<typeof reportedWork>[0]): FleetApplication {
  return fleet({ work: reportedWork({ compared: true, ...parts }) });
}

const path = (steps: readonly DeliveryStep[]) =>
  steps.map(({ id, state }) => `${id} ${state}`).join(', ');

describe('the delivery steps of an Application', () => {
  it('are done where it is synced and healthy', () => {
    const { steps, error } = clusterApplication(fleet());
    expect(path(steps)).toBe(
      'placement done, application done, manifestwork done, applied done, synced done, healthy done',
    );
    expect(steps.flatMap(({ finding }) => finding ?? [])).toEqual([]);
    expect(error).toBeUndefined();
    expect(steps[1]).toMatchObject({
      at: '2026-11-21T10:00:00Z',
      detail: 'openshift-gitops/cluster1-guestbook-app',
    });
  });

  it('say that a cluster reports names which no object has, and leave these out', () => {
    const { steps, resources, resourcesOmitted } = clusterApplication(
      reported({
        feedback,
        digest: [
          ['r', '', 'v1', 'Service', 'demo', '../../secrets', 'Synced'],
          ['r', '', 'v1', 'Service', 'demo', 'web', 'Synced'],
        ],
      }),
    );
    expect(steps.flatMap(({ finding }) => finding?.code ?? [])).toEqual([
      'AFC-222',
    ]);
    expect(resources.map(({ name }) => name)).toEqual(['web']);
    expect(resourcesOmitted).toBe(1);
  });

  it('say that a work keeps a namespace that its Application does not name, unless something is wrong', () => {
    const kept = applicationFindings.defaultNamespaceKept('openshift-gitops');
    const input = fleet({
      plan: {
        kind: 'apply',
        target: { namespace: 'cluster1', name: 'work' },
        work: workOf(),
        findings: [kept],
      },
    });
    const row = clusterApplication(input);
    expect(row.steps[2]).toMatchObject({ state: 'done', finding: kept });
    expect(problemOf(row)?.code).toBe('AFC-117');
    expect(row.state).toBe('ok');
    const digest = [['r', '', 'v1', 'Service', 'demo', '../../a', 'Synced']];
    const work = reportedWork({ feedback, digest, compared: true });
    expect(problemOf(clusterApplication({ ...input, work }))?.code).toBe(
      'AFC-222',
    );
  });

  it('and all other times of a cluster are never later than when they were read', () => {
    const future = '2099-01-01T00:00:00Z';
    const read = '2026-11-21T11:00:00.000Z';
    const input = fleet({
      managedCluster: managedCluster('cluster1', {
        available: 'False',
        since: future,
      }),
      work: reportedWork({
        feedback: { ...feedback, operationStateStartedAt: future },
        digest: [
          ['s', 'Healthy', 'Synced', revision, future],
          ['h', '1', future, revision],
        ],
        compared: true,
        ready: { lastTransitionTime: future },
        applied: { lastTransitionTime: future },
      }),
    });
    expect(JSON.stringify(clusterApplication(input))).toContain('2099');
    const row = clusterApplication({ ...input, readAt: Date.parse(read) });
    expect(JSON.stringify(row)).not.toContain('2099');
    expect(row).toMatchObject({
      cluster: { staleSince: read },
      since: read,
      operationStartedAt: read,
      running: { since: read },
    });
    const rows = [summaryRow({ ...input, readAt: Date.parse(read) })];
    expect(lastChange(rows)).toBe('2026-11-21T11:00:00Z');
    expect(versionsOf(rows).revisions).toMatchObject([
      { since: '2026-11-21T11:00:00Z' },
    ]);
  });

  it.each([
    ['a finalizer is left', [], 'active', 'AFC-231'],
    [
      'Argo CD fails to delete what it deployed',
      [['c', 'DeletionError', 'there are no clusters with this name: edge']],
      'failed',
      'AFC-232',
    ],
  ])(
    'say that it is being deleted on its cluster, although it is Synced: %s',
    (_, conditions, state, code) => {
      const since = '2026-11-21T10:30:00Z';
      const finalizer = 'resources-finalizer.argocd.argoproj.io';
      const { steps, deletion } = clusterApplication(
        reported({
          feedback,
          digest: [['e', since, `${finalizer} other/one`], ...conditions],
        }),
      );
      expect(steps[4]).toMatchObject({
        state,
        at: since,
        finding: { code, message: expect.stringContaining(finalizer) },
      });
      expect(deletion).toEqual({ since, finalizers: [finalizer, 'other/one'] });
    },
  );

  describe('with a sync that the hub requested', () => {
    const sentAt = '2026-11-21T10:20:00Z';
    const rowOf = (before: string, operation?: object, mark = true) => {
      const work = reportedWork({
        feedback: { ...feedback, syncStatus: 'OutOfSync' },
        compared: true,
      });
      const [payload] = work.spec.workload!.manifests!;
      return clusterApplication(
        fleet({
          work: {
            ...work,
            metadata: {
              ...work.metadata,
              annotations: {
                ...work.metadata.annotations,
                ...(mark && {
                  'argocd-fleet/operation': JSON.stringify({
                    writtenAt: sentAt,
                    before,
                  }),
                }),
              },
            },
            spec: {
              ...work.spec,
              workload: {
                manifests: [{ ...payload, ...(operation && { operation }) }],
              },
            },
          },
        }),
      ).steps[4].finding;
    };
    const started = feedback.operationStateStartedAt;

    it('say that it never started, once it is sent no more', () => {
      expect(rowOf(started)).toMatchObject({
        code: 'AFC-256',
        message: expect.stringContaining(sentAt),
      });
    });

    it.each([
      ['it is still sent', started, { sync: {} }],
      ['another one started', '2026-11-21T09:00:00Z', undefined],
    ])('say nothing of it while %s', (_, before, operation) => {
      expect(rowOf(before, operation)?.code).not.toBe('AFC-256');
    });

    it('say that one of another controller is still there, and not that one of ours is', () => {
      expect(rowOf(started, { sync: {} }, false)).toMatchObject({
        code: 'AFC-261',
        fix: {
          command:
            'kubectl patch applications.argoproj.io cluster1-guestbook-app -n openshift-gitops --type=json -p=\'[{"op":"remove","path":"/operation"}]\'',
        },
      });
      expect(rowOf(started, { sync: {} })?.code).not.toBe('AFC-261');
      expect(rowOf(started, undefined, false)?.code).not.toBe('AFC-261');
    });
  });

  it('name the AppProject whose sync window is closed, and the step that it holds', () => {
    const blocked = reported({
      feedback: {
        ...feedback,
        syncStatus: 'OutOfSync',
        operationStatePhase: 'Running',
      },
      digest: [
        ['o', 'Running', '0', '', 'Sync operation blocked by sync window'],
      ],
    });
    const messageIn = (rollingSync: FleetApplication['rollingSync']) =>
      clusterApplication({ ...blocked, rollingSync }).steps[4].finding?.message;
    expect(messageIn({ steps: 3, step: 2 })).toMatch(
      /Until then, it holds step 2 of 3 of the rolling sync\.$/,
    );
    expect(messageIn({ steps: 3 })).not.toContain('step');
    const { steps } = clusterApplication(blocked);
    expect(steps[4]).toMatchObject({
      state: 'blocked',
      finding: {
        code: 'AFC-226',
        message: expect.stringContaining('the AppProject default there'),
        fix: {
          command: expect.stringContaining(
            'kubectl --context cluster1 get appprojects.argoproj.io default -n openshift-gitops',
          ),
        },
      },
    });
  });

  it('tell an error of Argo CD itself also where it is Synced', () => {
    const message = 'error getting cluster: connection refused';
    const { steps, state } = clusterApplication(
      reported({ feedback, digest: [['c', 'UnknownError', message]] }),
    );
    expect(steps[4]).toMatchObject({
      state: 'done',
      finding: { code: 'AFC-252', evidence: message },
    });
    expect(state).toBe('inTrouble');
  });

  it('say which step of the rolling sync an Application waits for, and what its controller says', () => {
    const detailOf = (parts: Partial<FleetApplication>) =>
      clusterApplication({
        ...reported({ feedback: { ...feedback, syncStatus: 'OutOfSync' } }),
        rollingSync: { steps: 3, step: 2 },
        ...parts,
      });
    const reportedAs = (status: string) => ({
      steps: 3,
      step: 2,
      status,
      message: 'has pending changes',
      since: '2026-11-21T10:40:00Z',
    });
    const unknown = detailOf({});
    expect(unknown.steps[4].detail).toBe(
      'waits for step 2 of 3 of the rolling sync',
    );
    expect(unknown.rollingSync).toEqual({ steps: 3, step: 2 });
    const pending = detailOf({ rollingSync: reportedAs('Pending') });
    expect(pending.steps[4].detail).toBe(
      'step 2 of 3 of the rolling sync: Pending',
    );
    expect(pending.rollingSync).toEqual(reportedAs('Pending'));
    const waiting = detailOf({ rollingSync: reportedAs('Waiting') });
    expect(waiting.steps[4].detail).toBe(unknown.steps[4].detail);
  });

  describe('with a sync in waves that waits for a resource', () => {
    const rowAt = (time: string, retries = '0') => {
      const message = 'waiting for healthy state of apps/Deployment/web';
      const input = fleet({
        readAt: Date.parse(time),
        work: reportedWork({
          feedback: {
            ...feedback,
            healthStatus: 'Progressing',
            syncStatus: 'OutOfSync',
            operationStatePhase: 'Running',
          },
          digest: [['o', 'Running', retries, '', message]],
          compared: true,
        }),
      });
      return {
        ...clusterApplication(input),
        changesAt: summaryRow(input).changesAt,
      };
    };

    it('say nothing for ten minutes, and then what it waits for', () => {
      const early = rowAt('2026-11-21T10:11:59Z');
      expect(early.steps[4].finding).toBeUndefined();
      expect(early.changesAt).toBe(Date.parse('2026-11-21T10:12:00Z'));
      const late = rowAt('2026-11-21T10:12:00Z');
      expect(late).toMatchObject({ state: 'running', changesAt: undefined });
      expect(late.steps[4]).toMatchObject({
        state: 'active',
        finding: {
          code: 'AFC-262',
          evidence: expect.stringContaining('Deployment/web'),
        },
      });
    });

    it('do not say it of one that is retried', () => {
      const retried = rowAt('2026-11-21T10:12:00Z', '1');
      expect(retried.steps[4].finding).toBeUndefined();
      expect(retried.changesAt).toBeUndefined();
    });
  });

  describe('with a source hydrator', () => {
    const sourceHydrator = {
      drySource: {
        repoURL: 'https://git.example/a.git',
        path: 'a',
        targetRevision: 'main',
      },
      syncSource: { targetBranch: 'env/prod', path: 'a' },
    };
    const { source, ...spec } = application().spec;
    const hydrating = application({
      spec: { ...spec, sourceHydrator } as typeof spec,
    });
    const destination = [
      'd',
      'https://kubernetes.default.svc',
      '',
      'guestbook',
    ];
    const stepOf = (line: readonly string[], target = 'env/prod') =>
      clusterApplication(
        fleet({
          application: hydrating,
          work: reportedWork({
            work: workOf(hydrating),
            feedback,
            digest: [
              ['y', ...line],
              destination,
              ['t', 'https://git.example/a.git', 'a', '', target],
            ],
          }),
        }),
      );
    const rendered = ['d1', 'h1'];

    describe('and a branch from which a process outside of Argo CD promotes', () => {
      const rows = (parts: {
        readonly deployedAt?: string;
        readonly deployed?: string;
        readonly phase?: string;
        readonly mark?: string;
        readonly hydrateTo?: object;
        readonly renderedTo?: string;
      }) => {
        const {
          deployedAt = '2026-11-21T10:00:00Z',
          deployed = revision,
          phase = 'Hydrated',
          mark = '=',
          hydrateTo = { targetBranch: 'env/prod-next' },
          renderedTo = 'c'.repeat(40),
        } = parts;
        const promoted = application({
          spec: {
            ...spec,
            sourceHydrator: { ...sourceHydrator, hydrateTo },
          } as typeof spec,
        });
        const at = '2026-11-21T10:30:00Z';
        return clusterApplication(
          fleet({
            application: promoted,
            work: reportedWork({
              work: workOf(promoted),
              feedback,
              digest: [
                ['y', phase, 'd2', at, '', 'd2', renderedTo, mark],
                destination,
                ['t', 'https://git.example/a.git', 'a', '', 'env/prod'],
                ['h', '3', deployedAt, deployed],
              ],
            }),
          }),
        );
      };

      it('says that the commit waits there, and is done', () => {
        const { state, steps } = rows({});
        expect(state).toBe('ok');
        expect(steps[4]).toMatchObject({
          state: 'done',
          finding: {
            code: 'AFC-260',
            severity: 'info',
            message: expect.stringMatching(
              /rendered ccccccc to the branch env\/prod-next\. .* the branch env\/prod, /,
            ),
          },
        });
      });

      it.each<[string, Parameters<typeof rows>[0]]>([
        ['the branch was synced since', { deployedAt: '2026-11-21T10:31:00Z' }],
        ['a merge moved the branch', { deployed: 'd'.repeat(40) }],
        ['it is synced', { renderedTo: revision }],
        ['it is still being rendered', { phase: 'Hydrating' }],
        ['it was rendered for another spec', { mark: '!' }],
        ['Argo CD renders to the branch itself', { hydrateTo: {} }],
      ])('says nothing of it where %s', (_, parts) => {
        expect(rows(parts).steps[4].finding?.code).not.toBe('AFC-260');
      });
    });

    it('is done once the present dry source is rendered and its branch is synced', () => {
      const line = ['Hydrated', 'd1', '2026-11-21T10:30:00Z', '', ...rendered];
      const row = stepOf([...line, '=']);
      expect(row.state).toBe('ok');
      expect(row.sync).toBe('Synced');
      expect(row.hydration).toEqual({
        phase: 'Hydrated',
        wantedDryRevision: 'd1',
        startedAt: '2026-11-21T10:30:00Z',
        dryRevision: 'd1',
        hydratedRevision: 'h1',
        equalsSpec: true,
      });
    });

    it.each([
      ['another dry source was rendered', [...rendered, '!'], 'env/prod'],
      ['another branch was compared', [...rendered, '='], 'env/test'],
    ])('is not in sync while %s', (_, line, target) => {
      const row = stepOf(['Hydrating', 'd2', '', '', ...line], target);
      expect(row).toMatchObject({ sync: 'OutOfSync', reportedSync: 'Synced' });
      expect(row.steps[4].finding?.code).toBe('AFC-220');
    });

    it('has failed where that cannot render', () => {
      const message = 'Failed to hydrate: push declined';
      const row = stepOf(['Failed', 'd2', '', message, ...rendered, '=']);
      expect(row.state).toBe('inTrouble');
      expect(row.steps[4]).toMatchObject({
        state: 'failed',
        finding: { code: 'AFC-230', evidence: message },
      });
    });
  });

  it('have no works in the push model, and no placement where none is involved', () => {
    const pushed = application({
      metadata: { labels: {}, annotations: {} },
      status: { health: { status: 'Healthy' }, sync: { status: 'Synced' } },
    });
    const { steps } = clusterApplication({ application: pushed });
    expect(path(steps)).toBe('application done, synced done, healthy done');
  });

  it.each<[string, string, string | undefined, FleetApplication]>([
    [
      'no decision names its cluster',
      'placement failed',
      'AFC-104',
      fleet({
        decided: false,
        plan: {
          kind: 'refused',
          finding: applicationFindings.notSelected(
            'cluster1',
            'openshift-gitops',
          ),
        },
      }),
    ],
    [
      'it has no legal target, so no decision can name it',
      'application failed',
      'AFC-101',
      fleet({
        decided: false,
        plan: { kind: 'refused', finding: applicationFindings.noTarget() },
        work: undefined,
      }),
    ],
    [
      'the Application is refused',
      'application failed',
      'AFC-102',
      fleet({
        plan: {
          kind: 'refused',
          finding: applicationFindings.targetUnknown('cluster1'),
        },
        work: undefined,
      }),
    ],
    [
      'it is being deleted',
      'application active',
      undefined,
      fleet({
        application: application({
          metadata: { deletionTimestamp: '2026-11-21T11:00:00Z' },
        }),
      }),
    ],
    [
      'its work does not exist',
      'manifestwork active',
      'AFC-109',
      fleet({ work: undefined }),
    ],
    [
      'its cluster’s API server is not healthy, and the agent says so',
      'applied failed',
      'AFC-255',
      fleet({
        managedCluster: managedCluster('cluster1', { available: 'False' }),
      }),
    ],
    [
      'its cluster is silent',
      'applied failed',
      'AFC-201',
      fleet({
        managedCluster: managedCluster('cluster1', { available: 'Unknown' }),
      }),
    ],
    [
      'its agent has not fetched the work',
      'applied active',
      undefined,
      fleet({ work: workOf() }),
    ],
    [
      'its agent has not fetched the last change',
      'applied active',
      undefined,
      reported({ feedback, applied: { observedGeneration: 0 } }),
    ],
    [
      'something on the cluster removed it',
      'applied failed',
      'AFC-219',
      reported({
        feedback,
        available: { status: 'False', message: 'Resource is not available' },
      }),
    ],
    [
      'its agent may not apply it',
      'applied failed',
      'AFC-202',
      reported({ applied: { status: 'False', message: 'not permitted' } }),
    ],
    [
      'its cluster has no Argo CD',
      'applied failed',
      'AFC-203',
      reported({
        applied: {
          status: 'False',
          message: 'no matches for kind "Application" in version "v1alpha1"',
        },
      }),
    ],
    [
      'its Argo CD has not reported a status',
      'synced active',
      'AFC-217',
      reported({}),
    ],
    [
      'its Argo CD syncs',
      'synced active',
      undefined,
      reported({
        feedback: { ...failing, operationStatePhase: 'Running' },
        digest: [],
      }),
    ],
    [
      'its Argo CD is about to sync',
      'synced active',
      undefined,
      reported({ feedback: { ...feedback, syncStatus: 'OutOfSync' } }),
    ],
    [
      'nobody syncs it',
      'synced paused',
      'AFC-214',
      fleet({
        application: application({ spec: { syncPolicy: {} } }),
        work: reportedWork({
          feedback: { ...feedback, syncStatus: 'OutOfSync' },
        }),
      }),
    ],
    [
      'its last sync failed, without a reason',
      'synced failed',
      'AFC-211',
      reported({ feedback: failing }),
    ],
    [
      'details cannot come home',
      'synced done',
      'AFC-218',
      reported({
        feedback: { ...feedback, healthStatus: 'Progressing' },
        ready: {
          reason: 'ConditionRuleExpressionError',
          message: 'no such overload',
        },
      }),
    ],
    [
      'it makes progress',
      'healthy active',
      undefined,
      reported({ feedback: { ...feedback, healthStatus: 'Progressing' } }),
    ],
    [
      'it is suspended',
      'healthy paused',
      'AFC-216',
      reported({ feedback: { ...feedback, healthStatus: 'Suspended' } }),
    ],
    [
      'it is degraded',
      'healthy failed',
      'AFC-210',
      reported({ feedback: { ...feedback, healthStatus: 'Degraded' } }),
    ],
    [
      'it is missing',
      'healthy failed',
      'AFC-215',
      reported({ feedback: { ...feedback, healthStatus: 'Missing' } }),
    ],
  ])('when %s is: %s %s', (_, step, code, input) => {
    const { steps } = clusterApplication(input);
    const id = step.split(' ')[0];
    const index = steps.findIndex(candidate => candidate.id === id);
    expect(`${id} ${steps[index].state}`).toBe(step);
    expect(steps[index].finding?.code).toBe(code);
    expect(steps.slice(0, index).map(({ state }) => state)).toEqual(
      Array(index).fill('done'),
    );
  });

  describe('where the last sync failed and the Application is in sync', () => {
    const put = { ...feedback, operationStatePhase: 'Failed' };
    const quota = 'exceeded quota: compute';
    const deployment = ['apps', 'v1', 'Deployment', 'guestbook', 'ui'];

    it.each<[string, string, string, Parameters<typeof reportedWork>[0]]>([
      [
        'a resource’s message, before the operation’s',
        'AFC-248',
        quota,
        {
          feedback: put,
          digest: [
            ['o', 'Failed', '0', '', 'one or more objects failed to apply'],
            ['f', ...deployment, quota],
            ['r', ...deployment, 'Synced', 'Healthy'],
          ],
        },
      ],
      [
        'the operation’s message, also of an error',
        'AFC-211',
        'hook failed',
        {
          feedback: { ...put, operationStatePhase: 'Error' },
          digest: [['o', 'Error', '0', '', 'hook failed']],
        },
      ],
      [
        'a right that is lacking',
        'AFC-204',
        forbidden,
        { feedback: put, digest: [['f', ...deployment, forbidden]] },
      ],
      [
        'only the failure where no reason is reported',
        'AFC-211',
        'The last sync failed',
        { feedback: put },
      ],
    ])('synced is done, and its finding and the error are %s', (...row) => {
      const [, code, expected, work] = row;
      const { steps, error } = clusterApplication(reported(work));
      expect(path(steps.slice(4))).toBe('synced done, healthy done');
      expect(steps[4].finding?.code).toBe(code);
      expect(error).toBe(expected);
      expect(steps[4].finding?.evidence ?? error).toBe(expected);
    });

    it('the error is that of a later failed step', () => {
      const crash = 'CrashLoopBackOff';
      const { steps, error } = clusterApplication(
        reported({
          feedback: { ...put, healthStatus: 'Degraded' },
          digest: [
            ['o', 'Failed', '0', '', quota],
            ['r', ...deployment, 'Synced', 'Degraded', crash],
          ],
        }),
      );
      expect(path(steps.slice(4))).toBe('synced done, healthy failed');
      expect(steps[4].finding?.evidence).toBe(quota);
      expect(error).toBe(`Deployment ui: ${crash}`);
    });
  });

  describe('of an Application with a work that does not deliver it any more', () => {
    const own = workOf();
    const changed = (work: ManifestWork, patch: unknown): ManifestWork => {
      const { metadata, spec } = patch as Partial<ManifestWork>;
      return {
        ...work,
        metadata: {
          ...work.metadata,
          ...metadata,
          name: work.metadata.name,
          annotations: {
            ...work.metadata.annotations,
            ...metadata?.annotations,
          },
        },
        spec: { ...work.spec, ...spec },
      };
    };
    const frozenByOthers = changed(own, {
      spec: freezePatch(own, '').spec,
    });
    const annotations = { [SKIP_RECONCILE_ANNOTATION]: 'true' };
    const left = (metadata: Partial<ArgoApplication['metadata']> = {}) =>
      application({
        metadata: { labels: { [PULL_LABEL]: 'no' }, annotations, ...metadata },
        status: { health: { status: 'Healthy' }, sync: { status: 'Synced' } },
      });
    const recreated = application({
      metadata: { uid: 'ffffffff-6c4c-4b0e-9a49-2f2d7f9d3c11' },
    });
    const retargeted = application({
      metadata: { annotations: { [MANAGED_CLUSTER_ANNOTATION]: 'cluster2' } },
    });
    const withFormer = (
      app: ArgoApplication,
      former: ManifestWork,
      parts: Partial<FleetApplication> = {},
    ) =>
      fleet({
        application: app,
        plan: undefined,
        work: undefined,
        ...parts,
        former: [
          {
            work: former,
            decision: apparentDecision({
              work: former,
              application: app,
              successor: parts.work,
            }),
          },
        ],
      });

    it.each<[string, string, string, string, FleetApplication]>([
      [
        'nothing reconciles it',
        'manifestwork paused, synced waiting, healthy waiting',
        'AFC-121',
        'argocd-fleet/release=orphan',
        withFormer(left(), own),
      ],
      [
        'the hub’s Argo CD deploys it',
        'manifestwork done, synced done, healthy done',
        'AFC-121',
        'applicationsets.argoproj.io guestbook-allclusters-app-set -n openshift-gitops',
        withFormer(left({ annotations: {} }), own),
      ],
      [
        'argocd-agent deploys it',
        'manifestwork done, synced done, healthy done',
        'AFC-121',
        'argocd-fleet/release=orphan',
        withFormer(
          left({
            annotations: {
              ...annotations,
              'argocd.argoproj.io/source-uid': 'x',
            },
          }),
          own,
        ),
      ],
      [
        'another controller froze the work',
        'manifestwork paused, synced waiting, healthy waiting',
        'AFC-122',
        'argocd-fleet/release=orphan',
        withFormer(left(), frozenByOthers),
      ],
      [
        'the work is being released',
        'manifestwork active, synced waiting, healthy waiting',
        'AFC-124',
        'get manifestworks.work.open-cluster-management.io',
        withFormer(left(), changed(own, releasePatch(own, 'orphan'))),
      ],
    ])('say why it stays and what to do: %s', (...row) => {
      const [, expected, code, command, input] = row;
      const { steps, manifestWork, state } = clusterApplication(input);
      const [, , kept] = steps;
      expect(path(steps.slice(2))).toBe(expected);
      expect(kept).toMatchObject({
        detail: `cluster1/${own.metadata.name}`,
        finding: { code },
      });
      expect(kept.finding?.title).toContain('cluster1');
      expect(kept.finding?.fix?.command).toContain(command);
      expect(manifestWork).toBeUndefined();
      expect(state).not.toBe('inTrouble');
    });

    it.each<[string, string, string, FleetApplication]>([
      [
        'it was created again',
        'manifestwork done, applied active',
        'AFC-123',
        withFormer(recreated, own, { work: workOf(recreated) }),
      ],
      [
        'it has another cluster',
        'manifestwork done, applied active',
        'AFC-123',
        withFormer(retargeted, own, { work: workOf(retargeted) }),
      ],
      [
        'it has another cluster, which is refused',
        'manifestwork waiting, applied waiting',
        'AFC-123',
        withFormer(retargeted, own, {
          work: undefined,
          plan: {
            kind: 'refused',
            finding: applicationFindings.notSelected('cluster2', 'x'),
          },
        }),
      ],
      [
        'another controller froze the work of an earlier one',
        'manifestwork done, applied active',
        'AFC-122',
        withFormer(recreated, frozenByOthers, { work: workOf(recreated) }),
      ],
    ])('say what the old work waits for: %s', (...row) => {
      const [, expected, code, input] = row;
      const { steps } = clusterApplication(input);
      expect(path(steps.slice(2, 4))).toBe(expected);
      expect(steps[2].finding?.code).toBe(code);
    });

    it('show a work that is kept rather than one that waits', () => {
      const { steps } = clusterApplication({
        ...withFormer(recreated, own, { work: workOf(recreated) }),
        former: [
          { work: own, decision: { kind: 'wait', for: 'applied' } },
          {
            work: frozenByOthers,
            decision: {
              kind: 'keep',
              reason: 'frozenByOthers',
              freeze: false,
            },
          },
        ],
      });
      expect(steps[2].finding?.code).toBe('AFC-122');
    });

    it.each([
      ['that cluster itself', 'cluster1', 'Degraded'],
      ['another cluster', 'cluster2', 'Healthy'],
    ])('show what is reported by %s', (_, clusterName, health) => {
      const reporting = reportedWork({
        feedback: { ...feedback, healthStatus: 'Degraded' },
      });
      const input = withFormer(left(), reporting, { clusterName });
      expect(clusterApplication(input)).toMatchObject({
        health,
        state: clusterName === 'cluster1' ? 'inTrouble' : 'paused',
      });
    });

    it('do not mention one that is about to go', () => {
      const { steps } = clusterApplication({
        ...withFormer(left(), own),
        former: [
          {
            work: own,
            decision: { kind: 'delete', reason: 'moved', counted: false },
          },
        ],
      });
      expect(path(steps.slice(1))).toBe(
        'application done, synced done, healthy done',
      );
    });

    it('say that its deletion is held', () => {
      const held = removalFindings.deletionsHeld({
        hub: 'hub',
        applicationSet: 'openshift-gitops/shop',
        count: 1,
        heldFor: 'hub',
      });
      const { steps, state } = clusterApplication(
        fleet({
          application: application({
            metadata: { deletionTimestamp: '2026-11-21T11:00:00Z' },
          }),
          held,
          decided: false,
          plan: {
            kind: 'refused',
            finding: applicationFindings.notSelected('cluster1', 'x'),
          },
        }),
      );
      expect(steps[0]).toMatchObject({
        state: 'paused',
        title: 'Application is being deleted',
        finding: { code: 'AFC-126', title: '1 deletion is held' },
      });
      expect(state).toBe('paused');
    });
  });

  it('say that a deleted Application waits for its agent', () => {
    const work = workOf();
    const { steps } = clusterApplication(
      fleet({
        application: application({
          metadata: { deletionTimestamp: '2026-11-21T11:00:00Z' },
        }),
        work: {
          ...work,
          metadata: {
            ...work.metadata,
            deletionTimestamp: '2026-11-21T11:00:01Z',
          },
        },
      }),
    );
    expect(steps[0]).toMatchObject({
      state: 'active',
      detail: 'being deleted',
      finding: {
        code: 'AFC-127',
        title: 'ManifestWork on cluster1 is being deleted',
      },
    });
  });

  it('wait after the first step that is not done', () => {
    const { steps } = clusterApplication(fleet({ work: undefined }));
    expect(path(steps.slice(2))).toBe(
      'manifestwork active, applied waiting, synced waiting, healthy waiting',
    );
  });

  it('say since when a cluster is stale', () => {
    const { steps, cluster } = clusterApplication(
      fleet({
        managedCluster: managedCluster('cluster1', { available: 'Unknown' }),
      }),
    );
    expect(cluster).toMatchObject({
      available: 'Unknown',
      stale: true,
      staleSince: '2026-11-21T09:00:00Z',
    });
    expect(steps[3]).toMatchObject({
      at: '2026-11-21T09:00:00Z',
      finding: { message: expect.stringContaining('2026-11-21T09:00:00Z') },
    });
  });

  it('say how to have Argo CD report which resource is degraded, where it does not', () => {
    const degraded = ['s', 'Degraded', 'Synced', revision, '', '', 'appTree'];
    const { steps } = clusterApplication(
      reported({
        feedback: { ...feedback, healthStatus: 'Degraded' },
        digest: [degraded, ['r', '', 'v1', 'Pod', 'ns', 'web', 'Synced']],
      }),
    );
    expect(steps.at(-1)?.finding?.fix?.description).toContain(
      'controller.resource.health.persist',
    );
  });

  it('say what is suspended and how to resume it, and show no error', () => {
    const suspended = (...resources: readonly string[][]) => {
      const { steps, error } = clusterApplication(
        reported({
          feedback: { ...feedback, healthStatus: 'Suspended' },
          digest: [['s', 'Suspended', 'Synced', revision], ...resources],
        }),
      );
      expect(steps.at(-1)).toMatchObject({ state: 'paused' });
      expect(error).toBeUndefined();
      return steps.at(-1)?.finding;
    };
    const resource = (group: string, kind: string, name: string) =>
      `r,${group},v1alpha1,${kind},shop,${name},Synced,Suspended`.split(',');
    expect(
      suspended(
        'r,,v1,Service,shop,web,Synced,Healthy'.split(','),
        [...resource('argoproj.io', 'Rollout', 'web'), 'CanaryPauseStep'],
        resource('batch', 'CronJob', 'report'),
      ),
    ).toMatchObject({
      evidence: 'Rollout web: CanaryPauseStep',
      fix: {
        command: 'kubectl argo rollouts promote web -n shop --context cluster1',
      },
    });
    const job = suspended(resource('batch', 'CronJob', 'report'));
    expect(job?.evidence).toBe('CronJob report: Suspended');
    expect(job?.fix?.description).toContain('spec.suspend');
    expect(job?.fix?.command).toBeUndefined();
  });

  it('report a work that another controller made read-only', () => {
    const work = workOf();
    const [config] = work.spec.manifestConfigs!;
    const readOnly = {
      ...work,
      spec: {
        ...work.spec,
        manifestConfigs: [{ ...config, updateStrategy: { type: 'ReadOnly' } }],
      },
    };
    const { steps } = clusterApplication(
      fleet({ work: reportedWork({ work: readOnly, feedback }) }),
    );
    expect(steps[2]).toMatchObject({
      state: 'done',
      finding: { code: 'AFC-108' },
    });
  });
});

describe('an account that may not create resources', () => {
  const message = `Failed sync attempt to ${revision}: one or more objects failed to apply, reason: ${forbidden}`;

  it.each<[string, readonly (readonly string[])[]]>([
    [
      'a resource of the last sync',
      [
        ['c', 'SyncError', message],
        [
          'f',
          'apps',
          'v1',
          'Deployment',
          'guestbook',
          'guestbook-ui',
          forbidden,
        ],
      ],
    ],
    ['a condition only', [['c', 'SyncError', message]]],
    ['a quoted text', [['c', 'SyncError', message.replaceAll('"', '\\"')]]],
    ['the operation only', [['o', 'Failed', '0', '', message]]],
  ])('is recognised in %s, and the fix is given', (_, digest) => {
    const { steps, error, conditions } = clusterApplication(
      reported({ feedback: failing, digest }),
    );
    const { finding } = steps[4];
    expect(finding).toMatchObject({
      code: 'AFC-204',
      title: 'Argo CD may not create deployments on cluster1',
      evidence: expect.stringContaining('cannot create resource'),
    });
    const subject = `          - kind: ServiceAccount
            name: openshift-gitops-argocd-application-controller
            namespace: openshift-gitops
`;
    expect(finding?.fix?.command)
      .toContain(`  name: argo-admin-openshift-gitops.guestbook
  namespace: cluster1
`);
    expect(finding?.fix?.command).toContain(subject);
    const [label, clusterAdmin] = finding?.fix?.alternatives ?? [];
    expect(label.command).toContain(
      'label namespace guestbook argocd.argoproj.io/managed-by=openshift-gitops',
    );
    expect(clusterAdmin.command).toContain(`  name: argo-admin
  namespace: cluster1
`);
    expect(clusterAdmin.command).toContain(subject);
    expect(error).toContain('is forbidden');
    expect(conditions[0].message).toContain('is forbidden');
  });

  it('is offered no namespaced permissions for cluster-scoped resources', () => {
    const clusterWide =
      'clusterroles.rbac.authorization.k8s.io is forbidden: User "system:serviceaccount:openshift-gitops:argocd-application-controller" cannot create resource "clusterroles" in API group "rbac.authorization.k8s.io" at the cluster scope';
    const { steps } = clusterApplication(
      reported({
        feedback: failing,
        digest: [['c', 'SyncError', clusterWide]],
      }),
    );
    const fix = steps[4].finding?.fix;
    expect(fix?.description).toContain('No permission in a namespace');
    expect(fix?.command).toBeUndefined();
    expect(fix?.alternatives).toEqual([
      {
        description: expect.stringContaining(
          'makes Argo CD cluster-admin of the whole cluster cluster1',
        ),
        command: expect.stringContaining('name: argocd-application-controller'),
      },
    ]);
  });

  const account =
    'openshift-gitops:openshift-gitops-argocd-application-controller';
  const finding = (...digest: readonly (readonly string[])[]) =>
    clusterApplication(reported({ feedback: failing, digest })).steps[4]
      .finding;

  it('gets one finding for all that it may not do', () => {
    const services = forbidden
      .replace('deployments.apps', 'services')
      .replace('"deployments"', '"services"')
      .replace('"guestbook"', '"shop"');
    const found = finding(
      ['f', '', 'v1', 'Service', 'guestbook', 'ui', services],
      ['c', 'SyncError', `${services}, ${forbidden}`],
    );
    expect(found).toMatchObject({
      title: 'Argo CD may not create services, deployments on cluster1',
      message: expect.stringMatching(
        /create services, deployments in the namespaces shop, guestbook\.$/,
      ),
      fix: {
        description: expect.stringContaining(
          'in the namespaces shop, guestbook, and nothing elsewhere',
        ),
      },
    });
  });

  it.each([
    ['a service account of another name', 'shop:default'],
    ['one that only sounds like it', 'shop:notargocd-application-controller'],
    [
      'one where the Application deploys',
      'guestbook:argocd-application-controller',
    ],
    [
      'one of that name in another namespace than the configured one',
      'shop:openshift-gitops-argocd-application-controller',
    ],
  ])('is offered no permissions where it is %s', (_, other) => {
    const denial = forbidden.replace(account, other);
    const found = finding([
      'f',
      'apps',
      'v1',
      'Deployment',
      'guestbook',
      'ui',
      denial,
    ]);
    expect(found).toMatchObject({
      code: 'AFC-204',
      fix: { description: expect.stringContaining('bind it') },
    });
    expect(found?.fix?.command).toBeUndefined();
  });

  it.each(['kube-system', 'openshift-config'])(
    'is offered no permissions in a namespace of the system: %s',
    namespace => {
      const denial = forbidden.replaceAll('"guestbook"', `"${namespace}"`);
      const found = finding(
        ['f', 'apps', 'v1', 'Deployment', namespace, 'ui', denial],
        ['c', 'SyncError', `${denial}, ${forbidden}`],
      );
      expect(found).toMatchObject({
        code: 'AFC-204',
        message: expect.stringContaining(namespace),
        fix: {
          description: expect.stringContaining(
            `in the namespace ${namespace} of Kubernetes or OpenShift`,
          ),
        },
      });
      expect(found?.fix?.command).toBeUndefined();
      expect(found?.fix?.alternatives).toBeUndefined();
    },
  );

  it('is offered no permissions where the namespace of Argo CD is not known', () => {
    const digest = [['f', 'apps', 'v1', 'Deployment', 'g', 'ui', forbidden]];
    const { steps } = clusterApplication(
      fleet({
        argocdNamespace: undefined,
        work: reportedWork({ feedback: failing, digest, compared: true }),
      }),
    );
    const { code, fix } = steps[4].finding!;
    expect(code).toBe('AFC-204');
    expect(fix?.command).toBeUndefined();
    expect(fix?.alternatives).toBeUndefined();
  });

  it.each([
    [
      'a chart that fails with those words',
      [
        'c',
        'ComparisonError',
        `Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: execution error: ${forbidden}`,
      ],
    ],
    [
      'the same in the words of a sync',
      [
        'c',
        'SyncError',
        `Failed sync attempt: ComparisonError: Failed to load target state: failed to generate manifest for source 1 of 1: ${forbidden}`,
      ],
    ],
    [
      'an illegal account name',
      ['c', 'SyncError', forbidden.replace(account, `${account} EOF id`)],
    ],
    [
      'an illegal namespace name',
      ['c', 'SyncError', forbidden.replace('"guestbook"', '"$(id)"')],
    ],
    [
      'an illegal resource name',
      ['c', 'SyncError', forbidden.replace('"deployments"', '"$(id)"')],
    ],
    [
      'a verb that is none',
      ['c', 'SyncError', forbidden.replace('create', '`id`')],
    ],
  ])('is not recognised in %s', (_, digest) => {
    const found = finding(digest);
    expect(found?.code).not.toBe('AFC-204');
    expect(found?.fix?.command).toBeUndefined();
  });

  it('is reported even while Argo CD retries', () => {
    const { steps } = clusterApplication(
      reported({
        feedback: { ...failing, operationStatePhase: 'Running' },
        digest: [['f', 'apps', 'v1', 'Deployment', 'g', 'ui', forbidden]],
      }),
    );
    expect(steps[4]).toMatchObject({
      state: 'failed',
      finding: { code: 'AFC-204' },
    });
  });
});

describe('an operation that Argo CD retries after the spec was corrected', () => {
  const wanted = 'b'.repeat(40);
  const retrying = {
    ...failing,
    operationStatePhase: 'Running',
    syncRevision: wanted,
  };
  const started = '2026-11-21T10:02:00Z';
  const message = `one or more objects failed to apply, reason: ${forbidden}. Retrying attempt #3 at 10:05AM.`;
  const synced = (retried: string, parts: Parameters<typeof fleet>[0] = {}) =>
    clusterApplication(
      fleet({
        work: reportedWork({
          feedback: retrying,
          compared: true,
          digest: [
            ['o', 'Running', '3', started, message, retried],
            ['f', 'apps', 'v1', 'Deployment', 'g', 'ui', forbidden],
          ],
        }),
        ...parts,
      }),
    ).steps[4];

  it('has a finding that names both revisions, with the old error as evidence', () => {
    const step = synced(revision);
    expect(step.state).toBe('failed');
    expect(step.finding).toMatchObject({
      code: 'AFC-221',
      severity: 'error',
      message: expect.stringContaining(
        'retries an operation for 53e28ff (retry 3), and the wanted revision is bbbbbbb',
      ),
      evidence: message,
      fix: {
        command:
          'argocd app terminate-op openshift-gitops/cluster1-guestbook-app',
      },
    });
  });

  it.each([
    ['the wanted revision', wanted],
    ['a branch, which each retry resolves again', 'main'],
    ['what the spec names', ''],
  ])('shows its error where it retries %s', (_, retried) => {
    expect(synced(retried).finding?.code).toBe('AFC-204');
  });
});

describe('the finding for Argo CD’s error about a repository', () => {
  const rendering =
    'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc =';
  it.each([
    [
      'AFC-205',
      'ComparisonError',
      `${rendering} failed to list refs: dial tcp 10.0.0.1:443: i/o timeout`,
    ],
    [
      'AFC-205',
      'ComparisonError',
      `${rendering} Get "https://git.example/x": x509: certificate signed by unknown authority`,
    ],
    [
      'AFC-206',
      'ComparisonError',
      `${rendering} authentication required: Repository not found.`,
    ],
    [
      'AFC-207',
      'ComparisonError',
      `${rendering} unable to resolve 'v9' to a commit SHA`,
    ],
    [
      'AFC-207',
      'ComparisonError',
      `${rendering} guestbok: app path does not exist`,
    ],
    [
      'AFC-206',
      'SyncError',
      `ComparisonError: ${rendering} authorization failed`,
    ],
    [
      'AFC-212',
      'ComparisonError',
      `${rendering} Error: template: web/deployment.yaml:3: nil pointer`,
    ],
    [
      'AFC-213',
      'InvalidSpecError',
      'application destination is not permitted in project default',
    ],
    [
      'AFC-223',
      'InvalidSpecError',
      'Namespace for web apps/v1, Kind=Deployment is missing.',
    ],
    [
      'AFC-205',
      'InvalidSpecError',
      'repository not accessible: dial tcp: lookup git.example: no such host',
    ],
    [
      'AFC-245',
      'SyncError',
      'failed calling webhook "v.example": dial tcp 10.0.0.2:443: connection refused',
    ],
  ])('is %s: %s %s', (code, type, message) => {
    const { steps, error } = clusterApplication(
      reported({
        feedback: { ...feedback, syncStatus: 'Unknown' },
        digest: [['c', type, message]],
      }),
    );
    expect(steps[4]).toMatchObject({
      state: 'failed',
      finding: { code, evidence: message },
    });
    expect(error).toBe(message);
  });
});

it.each([
  ['AFC-213', 'InvalidSpecError', 'not permitted in project default'],
  ['AFC-252', 'UnknownError', 'error getting cluster by server "https://a"'],
])(
  'is %s rather than awaited: Argo CD compares no spec with %s',
  (code, type, message) => {
    const { steps, reportedSync } = clusterApplication(
      reported({
        feedback: { ...feedback, syncStatus: 'Unknown' },
        digest: [
          ['c', type, message],
          ['t', 'https://git.example/former.git', 'a', '', 'main'],
        ],
      }),
    );
    expect(reportedSync).toBe('Unknown');
    expect(steps[4]).toMatchObject({
      state: 'failed',
      finding: { code, evidence: message },
    });
  },
);

it.each([
  ['AFC-208', 'Degraded', 'Back-off pulling image "ui:9": ImagePullBackOff'],
  ['AFC-208', 'Progressing', 'ErrImagePull'],
  ['AFC-209', 'Degraded', 'CrashLoopBackOff'],
  [
    'AFC-209',
    'Degraded',
    'back-off 5m0s restarting failed container=ui pod=ui_shop(0)',
  ],
  ['AFC-210', 'Degraded', 'exceeded its progress deadline'],
])('a workload is %s when %s: %s', (code, health, message) => {
  const { steps, error } = clusterApplication(
    reported({
      feedback: { ...feedback, healthStatus: health },
      digest: [
        ['r', 'apps', 'v1', 'Deployment', 'g', 'ui', 'Synced', health, message],
      ],
    }),
  );
  expect(steps[5]).toMatchObject({ state: 'failed', finding: { code } });
  expect(error).toBe(`Deployment ui: ${message}`);
});

it('gives equal results for equal Applications', () => {
  const app: ArgoApplication = application();
  expect(clusterApplication(fleet({ application: app }))).toEqual(
    clusterApplication(fleet({ application: app })),
  );
});

describe('an Application that has the annotations of the pull model and no pull label', () => {
  const HUB = { server: 'https://kubernetes.default.svc', namespace: 'shop' };
  const unlabelled = (parts: {
    readonly label?: string;
    readonly annotations?: Record<string, string>;
    readonly destination?: ArgoApplication['spec']['destination'];
  }) => {
    const { label, destination = HUB } = parts;
    const {
      annotations = {
        [MANAGED_CLUSTER_ANNOTATION]: 'cluster1',
        [SKIP_RECONCILE_ANNOTATION]: 'true',
      },
    } = parts;
    const app = application({
      metadata: {
        labels: label === undefined ? {} : { [PULL_LABEL]: label },
        annotations,
      },
    });
    return clusterApplication({
      application: { ...app, spec: { ...app.spec, destination } },
      clusterName: 'cluster1',
      managedCluster: managedCluster('cluster1'),
      placement: 'aws-app-placement',
      decided: true,
    });
  };
  const skip = { [SKIP_RECONCILE_ANNOTATION]: 'true' };
  const target = { [MANAGED_CLUSTER_ANNOTATION]: 'cluster1' };
  const namespace = {
    'apps.open-cluster-management.io/ocm-managed-cluster-app-namespace':
      'openshift-gitops',
  };

  it('is deployed by nobody where the hub skips it, and says which label is missing', () => {
    const row = unlabelled({});
    expect(row.state).toBe('inTrouble');
    expect(row.deliveryModel).toBe('push');
    expect(row.steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'placement done',
      'application failed',
      'synced waiting',
      'healthy waiting',
    ]);
    expect(problemOf(row)).toMatchObject({
      code: 'AFC-118',
      message: expect.stringContaining(`lacks the label ${PULL_LABEL}`),
      fix: {
        command: `metadata:\n  labels:\n    ${PULL_LABEL}: "true"`,
      },
    });
  });

  it('says what else is missing of the template', () => {
    const row = unlabelled({ annotations: { ...skip, ...namespace } });
    expect(problemOf(row)?.fix?.command).toBe(
      `metadata:\n  labels:\n    ${PULL_LABEL}: "true"\n  annotations:\n    ${MANAGED_CLUSTER_ANNOTATION}: "{{name}}"`,
    );
  });

  it.each([
    [HUB, 'the hub itself'],
    [{ name: 'in-cluster', namespace: 'shop' }, 'the hub itself'],
    [{ name: 'cluster1', namespace: 'shop' }, 'cluster1'],
  ])('is deployed by the hub to %j otherwise', (destination, where) => {
    const row = unlabelled({ annotations: target, destination });
    expect(row.steps.find(({ id }) => id === 'application')).toMatchObject({
      state: 'done',
      finding: {
        code: 'AFC-119',
        title: `No pull label, so the hub deploys it to ${where}`,
        fix: {
          command: expect.stringContaining(
            `${SKIP_RECONCILE_ANNOTATION}: "true"`,
          ),
        },
      },
    });
  });

  it.each([
    ['yes', 'failed'],
    ['', 'failed'],
    ['false', 'done'],
    ['no', 'done'],
    ['Off', 'done'],
  ])(
    'with the label %j is meant for the pull model or not: %s',
    (label, state) => {
      expect(
        unlabelled({ label }).steps.find(({ id }) => id === 'application')
          ?.state,
      ).toBe(state);
    },
  );

  it('needs an annotation that only the pull model reads', () => {
    const codes = unlabelled({ annotations: skip }).steps.map(
      ({ finding }) => finding?.code,
    );
    expect(codes).not.toContain('AFC-118');
  });
});

describe('an Application on the hub’s own cluster', () => {
  it('is not called one that no Placement selects any more', () => {
    const app = application({ metadata: { labels: {}, annotations: {} } });
    const { steps } = clusterApplication({
      application: {
        ...app,
        spec: {
          ...app.spec,
          destination: { server: 'https://kubernetes.default.svc' },
        },
      },
      clusterName: 'in-cluster',
      placement: 'aws-app-placement',
      decided: false,
    });
    expect(steps.map(({ id }) => id)).toEqual([
      'application',
      'synced',
      'healthy',
    ]);
  });
});
