import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import { parse } from 'yaml';
import { REF } from '../__testUtils__/applicationSet';
import {
  createFakeFleetApi,
  serveFleetApi,
  type FakeFleetApi,
} from '../__testUtils__/fakeFleetApi';
import { createApplicationSetAction } from './createApplicationSetAction';
import { applicationSetExamples } from './createApplicationSetAction.examples';
import { createPlacementAction } from './createPlacementAction';
import { placementExamples } from './createPlacementAction.examples';

type InputOf<TAction extends { handler(ctx: never): unknown }> = Parameters<
  TAction['handler']
>[0]['input'];
type PlacementInput = InputOf<ReturnType<typeof createPlacementAction>>;
type ApplicationSetInput = InputOf<
  ReturnType<typeof createApplicationSetAction>
>;

describe('the actions that create objects', () => {
  let api: FakeFleetApi;
  let server: Awaited<ReturnType<typeof serveFleetApi>>;

  beforeEach(async () => {
    api = createFakeFleetApi();
    server = await serveFleetApi(api);
  });
  afterEach(() => server.close());

  function contextFor<T extends PlacementInput | ApplicationSetInput>(
    input: T,
  ) {
    return createMockActionContext({ input, workspacePath: '/nowhere' });
  }

  it('create a Placement on the hub as the user, and leave it unchanged the second time', async () => {
    const action = createPlacementAction(server);
    const { input } = parse(placementExamples[1].example).steps[0];
    const ctx = contextFor(input);

    await action.handler(ctx);
    await action.handler(ctx);

    const write = {
      path: '/placements/hub/openshift-gitops/guestbook',
      body: {
        matchLabels: { region: 'eu-west-1' },
        numberOfClusters: 2,
        owner: 'group:default/platform',
      },
      authorization: expect.stringContaining('user:default/mock'),
    };
    expect(api.writes).toEqual([write, write]);
    expect(ctx.output).toHaveBeenCalledWith('name', 'guestbook');
    expect(
      jest
        .mocked(ctx.output)
        .mock.calls.filter(([name]) => name === 'result')
        .map(([, value]) => value),
    ).toEqual(['created', 'unchanged']);
  });

  it('accept labels as an object too, and refuse a list that cannot be read or contradicts itself', async () => {
    const action = createPlacementAction(server);
    await action.handler(
      contextFor({ ...REF, clusterSets: [], matchLabels: { a: 'b' } }),
    );
    expect(api.writes[0].body).toEqual({ matchLabels: { a: 'b' } });

    await action.handler(
      contextFor({ ...REF, matchClaims: ['a=b'], tolerations: ['gpu'] }),
    );
    expect(api.writes[1].body).toEqual({
      matchClaims: { a: 'b' },
      tolerations: ['gpu'],
    });
    await expect(
      action.handler(contextFor({ ...REF, matchClaims: ['a'] })),
    ).rejects.toThrow('matchClaims contains "a"');
    // To tolerate something chooses no cluster.
    await expect(
      action.handler(contextFor({ ...REF, tolerations: ['gpu'] })),
    ).rejects.toThrow('No clusters are chosen');

    for (const [matchLabels, problem] of [
      [['region=eu', 'region=us'], 'both region=eu and region=us'],
      [['region'], 'contains "region"; write each as key=value'],
      [['=eu'], 'contains "=eu"; write each as key=value'],
      [['a=b=c'], 'contains "a=b=c"; write each as key=value'],
    ] as const) {
      await expect(
        action.handler(contextFor({ ...REF, matchLabels: [...matchLabels] })),
      ).rejects.toThrow(problem);
    }
  });

  it('create an ApplicationSet with a rolling sync, and refuse half of one', async () => {
    const action = createApplicationSetAction(server);
    const { input } = parse(applicationSetExamples[0].example).steps[0];
    const write = async (rollingSync: object) => {
      await action.handler(contextFor({ ...input, rollingSync }));
      return api.writes.at(-1)?.body;
    };
    const steps = { label: 'environment', values: ['staging'] };
    expect(await write({ ...steps, maxUpdate: 2 })).toMatchObject({
      rollingSync: { ...steps, maxUpdate: '2' },
    });
    expect(await write({ values: [] })).not.toHaveProperty('rollingSync');
    await expect(write({ label: 'environment' })).rejects.toThrow(
      'a label but no values',
    );
    await expect(write({ values: ['staging'] })).rejects.toThrow(
      'values but no label',
    );
  });

  it('create an ApplicationSet on the hub with its component', async () => {
    const action = createApplicationSetAction(server);
    const { input } = parse(applicationSetExamples[0].example).steps[0];
    const ctx = contextFor(input);
    await action.handler(ctx);
    expect(api.writes).toEqual([
      {
        path: '/applicationsets/hub/openshift-gitops/guestbook',
        body: {
          placement: 'guestbook',
          source: {
            repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
            path: 'guestbook',
            targetRevision: 'main',
          },
          destinationNamespace: 'guestbook',
          project: 'default',
          automated: true,
          component: {
            name: 'guestbook',
            owner: 'group:default/platform',
            description: 'Where guests write',
          },
        },
        authorization: expect.stringContaining('user:default/mock'),
      },
    ]);
    expect(ctx.output).toHaveBeenCalledWith(
      'annotation',
      'hub:openshift-gitops/guestbook',
    );
    expect(ctx.output).toHaveBeenCalledWith(
      'componentRef',
      'component:default/guestbook',
    );
  });

  it('only ask the hub about an ApplicationSet where that is all that is wanted', async () => {
    const action = createApplicationSetAction(server);
    const { input } = parse(applicationSetExamples[0].example).steps[0];
    const { repoURL: cloneUrl, ...rest } = input;
    const ctx = contextFor({ ...rest, cloneUrl, validateOnly: true });
    await action.handler(ctx);
    expect(api.writes).toMatchObject([
      {
        path: '/applicationsets/hub/openshift-gitops/guestbook?dryRun=true',
        body: { source: { repoURL: cloneUrl } },
      },
    ]);
    expect(ctx.output).toHaveBeenCalledWith('result', 'dryRun');
    await expect(action.handler(contextFor(rest))).rejects.toThrow(
      'No repository is given: set repoURL (or cloneUrl)',
    );
  });

  it('report why the API refuses', async () => {
    api.fail({ status: 409, message: 'something else created it' });
    const { input } = parse(applicationSetExamples[0].example).steps[0];
    await expect(
      createApplicationSetAction(server).handler(contextFor(input)),
    ).rejects.toThrow(
      'Could not create ApplicationSet openshift-gitops/guestbook on the hub "hub": something else created it',
    );
  });

  it('name what stays on the hub when a later step fails', async () => {
    api.fail({ status: 409, message: 'no' });
    const { input } = parse(applicationSetExamples[0].example).steps[0];
    await expect(
      createApplicationSetAction(server).handler(contextFor(input)),
    ).rejects.toThrow(
      [
        'Placement openshift-gitops/guestbook stays on the hub "hub". Run this again with the same name to change it, or, if nothing else needs it, remove it:',
        '',
        '    kubectl delete placements.cluster.open-cluster-management.io guestbook -n openshift-gitops',
      ].join('\n'),
    );
  });

  it('ask with the Placement for the name of the ApplicationSet that follows', async () => {
    const action = createPlacementAction(server);
    const run = () =>
      action.handler(
        contextFor({ ...REF, allClusters: true, applicationSet: 'shop' }),
      );
    await run();
    expect(api.writes).toMatchObject([
      {
        path: '/placements/hub/openshift-gitops/guestbook?applicationSet=shop',
        body: {},
      },
    ]);
    api.fail({ status: 409, message: 'The name is taken' });
    await expect(run()).rejects.toThrow('The name is taken');
  });

  it('write nothing in a dry run', async () => {
    const { input } = parse(placementExamples[0].example).steps[0];
    const ctx = { ...contextFor(input), isDryRun: true };
    await createPlacementAction(server).handler(ctx);
    expect(api.writes).toEqual([]);
    expect(ctx.output).toHaveBeenCalledWith('result', 'dryRun');
  });
});
