import { mockServices } from '@backstage/backend-test-utils';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import {
  applicationSetOn,
  NOTHING_SELECTED,
  onCluster,
  REF,
} from '../__testUtils__/applicationSet';
import {
  createFakeFleetApi,
  serveFleetApi,
  type FakeFleetApi,
} from '../__testUtils__/fakeFleetApi';
import { createWaitForRolloutAction } from './waitForRolloutAction';

/** Short, except for a poll interval so long that only the stream of changes can end a test. */
const STREAM_ONLY = {
  pollMs: 60_000,
  minimumGapMs: 1,
  settleMs: 1,
  repeatMs: 0,
  requestTimeoutMs: 30_000,
};
const POLLING = { ...STREAM_ONLY, pollMs: 20 };

describe('argocd-fleet:wait-for-rollout', () => {
  let api: FakeFleetApi;
  let server: Awaited<ReturnType<typeof serveFleetApi>>;

  beforeEach(async () => {
    api = createFakeFleetApi();
    server = await serveFleetApi(api);
  });
  afterEach(() => server.close());

  /** Starts the action; calls `onLog` with every line that it logs. */
  function start(options: {
    timing: typeof POLLING;
    input?: {
      timeoutSeconds?: number;
      failAfterSeconds?: number;
      minimumClusters?: number;
    };
    onLog?: (line: string) => void;
    signal?: AbortSignal;
    isDryRun?: boolean;
  }) {
    const lines: string[] = [];
    const logger = mockServices.logger.mock();
    logger.info.mockImplementation(line => {
      lines.push(line);
      options.onLog?.(line);
    });
    const action = createWaitForRolloutAction({
      fleet: server.fleet,
      timing: options.timing,
    });
    const ctx = {
      ...createMockActionContext({
        input: { ...REF, ...options.input },
        workspacePath: '/nowhere',
      }),
      logger,
      signal: options.signal,
      isDryRun: options.isDryRun,
    };
    return { done: action.handler(ctx), lines, output: ctx.output };
  }

  it('follows a rollout from its start to its end through the stream of changes', async () => {
    // Each line in the log triggers the next state of the hub.
    const states = [
      applicationSetOn([], { placement: { name: 'guestbook', decisions: 2 } }),
      applicationSetOn([
        onCluster('cluster1', 'Missing', 'OutOfSync'),
        onCluster('cluster2', 'Progressing'),
      ]),
      applicationSetOn([
        onCluster('cluster1', 'Progressing'),
        onCluster('cluster2'),
      ]),
      applicationSetOn([onCluster('cluster1'), onCluster('cluster2')]),
    ];
    const { done, lines, output } = start({
      timing: STREAM_ONLY,
      onLog: () => {
        const next = states.shift();
        if (next) {
          api.show(next);
        }
      },
    });
    await done;
    expect(lines).toEqual([
      'waiting for the ApplicationSet to appear: No ApplicationSet openshift-gitops/guestbook',
      'the Placement guestbook selects 2 clusters; waiting for their Applications',
      '0 of 2 clusters synced and healthy; cluster1: Missing, OutOfSync; cluster2: Progressing',
      '1 of 2 clusters synced and healthy; cluster1: Progressing',
      '2 of 2 clusters synced and healthy',
    ]);
    expect(output).toHaveBeenCalledWith('clusters', ['cluster1', 'cluster2']);
    await api.allStreamsClosed();
  });

  it('polls when there is no stream, and logs only changes', async () => {
    api.show(applicationSetOn([onCluster('cluster1', 'Progressing')]));
    let checks: NodeJS.Timeout | undefined;
    const { done, lines } = start({
      timing: POLLING,
      onLog: () => {
        checks ??= setInterval(() => {
          api.streams.forEach(stream => stream.destroy());
          if (api.reads > 3) {
            clearInterval(checks);
            api.show(applicationSetOn([onCluster('cluster1')]));
          }
        }, 5);
      },
    });
    await done;
    expect(lines).toEqual([
      '0 of 1 clusters synced and healthy; cluster1: Progressing',
      '1 of 1 clusters synced and healthy',
    ]);
  });

  it('logs what goes to and fro once', async () => {
    const [to, fro] = ['Progressing', 'Degraded'].map(health =>
      applicationSetOn([onCluster('cluster1', health as 'Degraded')]),
    );
    api.show(to);
    let swaps = 0;
    let swapping: NodeJS.Timeout | undefined;
    const { done, lines } = start({
      timing: { ...STREAM_ONLY, repeatMs: 60_000 },
      onLog: () => {
        swapping ??= setInterval(() => {
          swaps += 1;
          api.show(swaps % 2 === 0 ? to : fro);
          if (swaps > 8) {
            clearInterval(swapping);
            api.show(applicationSetOn([onCluster('cluster1')]));
          }
        }, 20);
      },
    });
    await done;
    expect(lines).toEqual([
      '0 of 1 clusters synced and healthy; cluster1: Progressing',
      '0 of 1 clusters synced and healthy; cluster1: Degraded',
      '1 of 1 clusters synced and healthy',
    ]);
  });

  it('does not end when the clusters are healthy only briefly', async () => {
    api.show(applicationSetOn([onCluster('cluster1')]));
    const states = [
      applicationSetOn([onCluster('cluster1', 'Progressing')]),
      applicationSetOn([onCluster('cluster1'), onCluster('cluster2')]),
    ];
    const { done, output } = start({
      timing: { ...POLLING, settleMs: 300 },
      onLog: () => {
        const next = states.shift();
        if (next) {
          api.show(next);
        }
      },
    });
    await done;
    expect(output).toHaveBeenCalledWith('clusters', ['cluster1', 'cluster2']);
  });

  it('keeps waiting while the API does not answer', async () => {
    api.fail({ status: 503, message: 'not ready' });
    api.show(applicationSetOn([onCluster('cluster1')]));
    const { done, lines } = start({
      timing: POLLING,
      onLog: () => api.fail(undefined),
    });
    await done;
    expect(lines[0]).toBe('the argocd-fleet API does not answer: not ready');
  });

  it('fails at once when the user lacks the permission', async () => {
    api.fail({
      status: 403,
      message: 'Permission argocd-fleet.hub.read missing',
    });
    await expect(start({ timing: POLLING }).done).rejects.toThrow(
      'Cannot read the ApplicationSet openshift-gitops/guestbook on the hub "hub": Permission argocd-fleet.hub.read missing',
    );
  });

  it('says what is wrong and what to do after the timeout', async () => {
    const finding = {
      code: 'AFC-203',
      severity: 'error' as const,
      title: 'Argo CD may not create Services',
      message: 'Its service account lacks the permission.',
      fix: {
        description: 'Bind it to a role that may:',
        command: 'kubectl apply -f remedy.yaml',
      },
    };
    api.show(
      applicationSetOn([
        onCluster('cluster1', 'Missing', 'OutOfSync', {
          error: 'services is forbidden',
          finding,
        }),
        onCluster('cluster2', 'Missing', 'OutOfSync', {
          error: 'services is forbidden',
          finding,
        }),
        onCluster('cluster3'),
      ]),
    );
    const { done } = start({ timing: POLLING, input: { timeoutSeconds: 0.1 } });
    await expect(done).rejects.toThrow(
      [
        'The ApplicationSet openshift-gitops/guestbook on the hub "hub" is not synced and healthy on its clusters after 0 s: 1 of 3 clusters synced and healthy',
        '- cluster1: Missing, OutOfSync: `services is forbidden`',
        '- cluster2: Missing, OutOfSync: `services is forbidden`',
        '',
        'AFC-203 Argo CD may not create Services: Its service account lacks the permission.',
        '',
        'What to do: Bind it to a role that may:',
        '',
        '    kubectl apply -f remedy.yaml',
      ].join('\n'),
    );
  });

  it('fails long before the timeout when an error lasts', async () => {
    api.show(applicationSetOn([], { findings: [NOTHING_SELECTED] }));
    const { done, lines } = start({
      timing: STREAM_ONLY,
      input: { timeoutSeconds: 300, failAfterSeconds: 0.1 },
    });
    await expect(done).rejects.toThrow('AFC-303 No cluster selected');
    expect(lines).toEqual([
      'waiting for the Placement guestbook to select a cluster; No cluster selected: No valid ManagedCluster found',
    ]);
  });

  it('fails at once when the ApplicationSet is deleted', async () => {
    api.show(applicationSetOn([onCluster('cluster1', 'Progressing')]));
    const { done } = start({
      timing: STREAM_ONLY,
      onLog: () => api.show(undefined),
    });
    await expect(done).rejects.toThrow(
      'The ApplicationSet openshift-gitops/guestbook on the hub "hub" was deleted during its rollout',
    );
  });

  it('names the Placement when no cluster is selected at the timeout', async () => {
    api.show(applicationSetOn([]));
    const { done } = start({ timing: POLLING, input: { timeoutSeconds: 0.1 } });
    await expect(done).rejects.toThrow(
      /waiting for the Placement guestbook to select a cluster\n- No cluster runs it\. Does the Placement name cluster sets/,
    );
  });

  it('stops when the task is cancelled', async () => {
    const cancel = new AbortController();
    const { done } = start({
      timing: STREAM_ONLY,
      signal: cancel.signal,
      onLog: () => cancel.abort(new Error('cancelled by the user')),
    });
    await expect(done).rejects.toThrow('cancelled by the user');
  });

  it('sends no request in a dry run', async () => {
    const { done, output } = start({ timing: POLLING, isDryRun: true });
    await done;
    expect(api.reads).toBe(0);
    expect(output).toHaveBeenCalledWith('clusters', []);
  });
});
