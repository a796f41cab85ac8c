import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import {
  application,
  deepFreeze,
  forbidden,
  revision,
  spokeStatus,
} from '../__testUtils__/applications';
import { REPORTED, reportedWork, workOf } from '../__testUtils__/works';
import { readApplicationStatus } from './applicationState';
import { readFeedback, readReportedStatus } from './feedback';

const healthy = {
  healthStatus: 'Healthy',
  syncStatus: 'Synced',
  operationStatePhase: 'Succeeded',
  operationStateStartedAt: '2026-11-21T10:02:00Z',
  syncRevision: revision,
};

describe('what a work brings home', () => {
  it.each<[string, ManifestWork]>([
    ['before its agent saw it', workOf()],
    ['before Argo CD gave a status', reportedWork()],
    ['with values that Argo CD does not have', nonsense()],
  ])('is Unknown %s', (_, work) => {
    expect(readFeedback(work)).toMatchObject({
      health: 'Unknown',
      sync: 'Unknown',
      conditions: [],
      resources: [],
    });
  });

  it('is the feedback of the Application, wherever its manifest stands', () => {
    expect(readFeedback(reportedWork({ feedback: healthy }))).toMatchObject({
      health: 'Healthy',
      sync: 'Synced',
      phase: 'Succeeded',
      operationStartedAt: '2026-11-21T10:02:00Z',
      revision,
      statusFrom: 'feedback',
      applied: { status: 'True' },
      available: { status: 'True' },
    });
  });

  it('is completed by the digest', () => {
    const work = reportedWork({
      feedback: {
        ...healthy,
        healthStatus: 'Missing',
        syncStatus: 'OutOfSync',
      },
      digest: [
        ['s', 'Missing', 'OutOfSync', revision, '2026-11-21T10:03:00Z'],
        ['o', 'Failed', '5', '2026-11-21T10:02:00Z', 'failed to apply'],
        ['c', 'SyncError', `failed to apply: ${forbidden}`],
        ['c', 'Info', 'no trouble'],
        ['f', 'apps', 'v1', 'Deployment', 'guestbook', 'ui', forbidden],
        ['r', 'apps', 'v1', 'Deployment', 'guestbook', 'ui', 'OutOfSync'],
        ['i', 'gb-frontend:v5'],
      ],
    });
    expect(readFeedback(work)).toMatchObject({
      health: 'Missing',
      sync: 'OutOfSync',
      operationRetries: 5,
      conditions: [
        { type: 'SyncError', message: `failed to apply: ${forbidden}` },
      ],
      failedResources: [{ kind: 'Deployment', message: forbidden }],
      resources: [{ kind: 'Deployment', sync: 'OutOfSync' }],
      images: ['gb-frontend:v5'],
      statusAt: REPORTED,
      since: '2026-11-21T10:03:00Z',
      statusFrom: 'feedback',
      detailsFrom: 'digest',
    });
  });

  it('is at least as new as the operation that it tells of, though no condition has turned since', () => {
    const operationStateStartedAt = '2026-11-21T12:00:00Z';
    const { statusAt } = readFeedback(
      reportedWork({ feedback: { operationStateStartedAt } }),
    );
    expect(statusAt).toBe(operationStateStartedAt);
  });

  it('is the digest’s where feedback is missing', () => {
    const work = reportedWork({
      digest: [['s', 'Degraded', 'Synced', revision]],
    });
    expect(readFeedback(work)).toMatchObject({
      health: 'Degraded',
      sync: 'Synced',
      revision,
      statusFrom: 'digest',
    });
  });

  it('is known since the condition turned, where all is well', () => {
    const work = reportedWork({
      feedback: healthy,
      digest: [],
      ready: { status: 'True' },
    });
    expect(readFeedback(work).since).toBe(REPORTED);
  });

  it('names why a sync by hand failed, which Argo CD keeps in its operation only', () => {
    const work = reportedWork({
      digest: [['o', 'Failed', '0', '', 'one object failed to apply']],
    });
    expect(readFeedback(work).conditions).toEqual([
      { type: 'OperationError', message: 'one object failed to apply' },
    ]);
  });

  it('never takes an expression’s error for news', () => {
    const work = reportedWork({
      feedback: healthy,
      ready: {
        reason: 'ConditionRuleExpressionError',
        message: 'argocd-fleet-digest/1\t0\nno such overload\n.',
      },
    });
    expect(readFeedback(work)).toMatchObject({
      health: 'Healthy',
      digestError: expect.stringContaining('no such overload'),
      resources: [],
    });
  });

  it('says what stands in the place of a digest that could not be made', () => {
    const message = 'ERROR: <input>:1:1: undeclared reference';
    const ready = { reason: 'ConditionRuleEvaluated', message };
    expect(readFeedback(reportedWork({ ready }))).toMatchObject({
      digestError: message,
      conditions: [],
      resources: [],
    });
  });

  it.each([
    [
      'of a later version of ours',
      'ConditionRuleEvaluated',
      'argocd-fleet-digest/2\t0\n.',
    ],
    ['of another controller', 'Manual', 'all is well'],
  ])('takes a condition %s for no error', (_, reason, message) => {
    const work = reportedWork({ ready: { reason, message } });
    expect(readFeedback(work).digestError).toBeUndefined();
  });

  it('says why a manifest was not applied, rather than that one was not', () => {
    const applied = { status: 'False', message: 'no matches for kind' };
    expect(readFeedback(reportedWork({ applied })).applied).toMatchObject(
      applied,
    );
  });
});

describe('what an Application of the push model says itself', () => {
  it('is nothing before it has a status', () => {
    expect(readApplicationStatus(application())).toMatchObject({
      health: 'Unknown',
      sync: 'Unknown',
    });
  });

  it('is all of its status', () => {
    const status = {
      ...spokeStatus({ health: 'Degraded', sync: 'OutOfSync' }),
      reconciledAt: REPORTED,
      operationState: {
        phase: 'Failed',
        message: 'failed',
        syncResult: {
          resources: [
            { kind: 'Job', name: 'ok', status: 'Synced' },
            { kind: 'Job', name: 'hook', hookPhase: 'Error', message: 'boom' },
          ],
        },
      },
      conditions: [{ type: 'SyncError', message: 'it failed' }],
      resources: [
        {
          kind: 'Deployment',
          name: 'ui',
          status: 'Synced',
          health: { status: 'Degraded', message: '0 of 3' },
        },
      ],
      summary: { images: ['ui:1'], externalURLs: ['https://ui.example.com'] },
      history: Array.from({ length: 6 }, (_, id) => ({
        id,
        deployedAt: REPORTED,
        revision: `r${id}`,
      })),
      resourceHealthSource: 'appTree',
    };
    expect(readApplicationStatus(application({ status }))).toMatchObject({
      health: 'Degraded',
      sync: 'OutOfSync',
      phase: 'Failed',
      revision,
      statusAt: REPORTED,
      conditions: [{ type: 'SyncError', message: 'it failed' }],
      failedResources: [{ kind: 'Job', name: 'hook', message: 'boom' }],
      resources: [{ name: 'ui', health: 'Degraded', message: '0 of 3' }],
      images: ['ui:1'],
      externalUrls: ['https://ui.example.com'],
      history: [5, 4, 3, 2, 1].map(id => ({
        id,
        deployedAt: REPORTED,
        revision: `r${id}`,
      })),
      healthHidden: true,
      statusFrom: 'application',
    });
  });
});

function nonsense(): ManifestWork {
  return deepFreeze(
    reportedWork({ feedback: { healthStatus: 'Fine', syncStatus: 'Yes' } }),
  );
}

it.each<[string, ManifestWork]>([
  ['not yet reported', workOf()],
  ['without a digest', reportedWork({ feedback: healthy })],
  [
    'with feedback and a digest',
    reportedWork({
      feedback: { ...healthy, syncStatus: 'OutOfSync' },
      digest: [
        ['s', 'Missing', 'OutOfSync', revision, '', `${revision} ${revision}`],
        ['o', 'Failed', '5', '2026-11-21T10:02:00Z', 'failed to apply'],
        ['d', 'https://kubernetes.default.svc', '', 'guestbook', '='],
        ['t', 'https://example.com/repo.git', 'guestbook', '', 'HEAD'],
        ['r', 'apps', 'v1', 'Deployment', 'guestbook', 'ui', 'Synced'],
      ],
    }),
  ],
])('the reported status is a part of all feedback: %s', (_, work) => {
  const all = readFeedback(work);
  expect({ ...all, ...readReportedStatus(work) }).toEqual(all);
});
