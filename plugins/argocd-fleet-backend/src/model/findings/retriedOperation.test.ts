import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { application } from '../__testUtils__/applications';
import { readApplicationStatus } from '../feedback';
import {
  retriedOperationFinding,
  waitingOperationFinding,
} from './retriedOperation';

const OLD = 'a'.repeat(40);
const NEW = 'b'.repeat(40);

/** The finding for an Application of the push model. */
function findingFor(
  parts: {
    phase?: string;
    retryCount?: number;
    sync?: object;
    operation?: object;
    spec?: Partial<ArgoApplication['spec']>;
  } = {},
) {
  const { sync = { revision: NEW }, operation = { revision: OLD } } = parts;
  const { phase = 'Running', retryCount = 1, spec } = parts;
  const app = application({
    spec,
    status: {
      sync: { status: 'OutOfSync', ...sync },
      operationState: { phase, retryCount, operation: { sync: operation } },
    },
  });
  return retriedOperationFinding(
    'cluster1',
    readApplicationStatus(app),
    { namespace: 'argocd', name: 'web; id' },
    app.spec,
  );
}

it('is found while Argo CD retries the former commit', () => {
  expect(findingFor()).toMatchObject({
    code: 'AFC-221',
    message: expect.stringMatching(/aaaaaaa \(retry 1\).* bbbbbbb/),
    fix: { command: "argocd app terminate-op argocd/'<name>'" },
  });
});

it.each<[string, Parameters<typeof findingFor>[0]]>([
  [
    'a chart’s version',
    { sync: { revision: '1.2.1' }, operation: { revision: '1.2.0' } },
  ],
  [
    'one of several sources',
    {
      sync: { revisions: ['1.2.0', NEW] },
      operation: { revisions: ['1.2.0', OLD] },
    },
  ],
])('is found for %s', (_, parts) => {
  expect(findingFor(parts)?.code).toBe('AFC-221');
});

it.each<[string, Parameters<typeof findingFor>[0]]>([
  ['the first attempt', { retryCount: 0 }],
  ['an operation that ended', { phase: 'Failed' }],
  ['the same commit', { operation: { revision: NEW } }],
  ['an operation for what the spec names', { operation: {} }],
  ['a branch', { operation: { revision: 'main' } }],
  ['a tag of the wanted commit', { operation: { revision: 'v1.2.3' } }],
  ['a comparison without a revision', { sync: {} }],
  ['other sources', { operation: { revisions: [OLD, OLD] } }],
  [
    'retries with the latest revision',
    { spec: { syncPolicy: { retry: { refresh: true } } } },
  ],
])('is not found for %s', (_, parts) => {
  expect(findingFor(parts)).toBeUndefined();
});

describe('an operation in waves', () => {
  const MESSAGE = 'waiting for healthy state of apps/Deployment/web';

  function waitingFor(message: string, wanted = NEW) {
    const app = application({
      status: {
        sync: { status: 'OutOfSync', revision: wanted },
        operationState: {
          phase: 'Running',
          message,
          operation: { sync: { revision: OLD } },
        },
      },
    });
    return waitingOperationFinding('cluster1', readApplicationStatus(app), {
      namespace: 'argocd',
      name: 'web',
    });
  }

  it.each([
    MESSAGE,
    `${MESSAGE} and 2 more resources`,
    'waiting for completion of hook batch/Job/migrate',
    'waiting for deletion of apps/Deployment/web',
  ])('holds a newer revision while it is %s', message => {
    expect(waitingFor(message)).toMatchObject({
      code: 'AFC-257',
      message: expect.stringMatching(/aaaaaaa in waves.* bbbbbbb by now/),
      evidence: message,
      fix: { command: 'argocd app terminate-op argocd/web' },
    });
  });

  it('holds nothing where it is of the wanted revision, or says something else', () => {
    expect(waitingFor(MESSAGE, OLD)).toBeUndefined();
    expect(waitingFor('one or more objects failed to apply')).toBeUndefined();
  });
});
