import type {
  ArgocdFleetClient,
  PlacementInUse,
  ReleaseOrder,
  WriteResult,
} from 'backstage-plugin-argocd-fleet-common';
import { parse } from 'yaml';
import { REF } from '../__testUtils__/applicationSet';
import {
  answersInTurn,
  contextFor,
  refused,
  type Answer,
} from '../__testUtils__/actionRun';
import type { FleetAccess } from '../fleetAccess';
import { createChangePlacementAction } from './changePlacementAction';
import { changePlacementExamples } from './changePlacementAction.examples';

const SET = `${REF.hub}:${REF.namespace}/${REF.name}`;
const INPUT = {
  applicationSet: SET,
  matchLabels: ['region=eu'],
  leaving: 'remove',
};

/** What another selection would change. */
function used(
  joining: readonly string[],
  leaving: readonly string[],
  more: Partial<PlacementInUse> = {},
): PlacementInUse {
  const names = (list: readonly string[]) => ({
    count: list.length,
    names: [...list],
  });
  return {
    placement: { ...REF, name: 'its-placement' },
    selection: { owner: 'group:default/retail' },
    change: {
      preview: { selected: 2 } as never,
      joining: names(joining),
      leaving: names(leaving),
      resources: names([]),
    },
    ...more,
  };
}

function apiWith(answers: {
  ask: readonly Answer<PlacementInUse>[];
  order?: readonly Answer<boolean>[];
  put?: Answer<WriteResult['result']>;
  withdraw?: readonly Answer<boolean>[];
}) {
  const { calls, answer } = answersInTurn();
  const { ask, put = () => 'updated' as const } = answers;
  const { order = [() => true], withdraw = [() => false] } = answers;
  const bodies: unknown[] = [];
  const client: Partial<ArgocdFleetClient> = {
    getPlacementInUse: (_, selection) => {
      bodies.push(selection);
      return answer('ask', ask);
    },
    orderRelease: async (ref, release): Promise<ReleaseOrder> => ({
      ...{ ref, release, placements: [] },
      stored: await answer(`order ${release}`, order),
    }),
    putPlacement: async (ref, body) => {
      bodies.push(body);
      return { ref, result: await answer(`put ${ref.name}`, [put]) };
    },
    withdrawRelease: async ref => ({
      ref,
      stored: await answer('withdraw', withdraw),
    }),
  };
  const fleet: FleetAccess = {
    client: client as ArgocdFleetClient,
    getToken: async () => 'token-of-the-user',
  };
  return { fleet, calls, bodies };
}

describe('argocd-fleet:placement:change', () => {
  const run = (fleet: FleetAccess, context: ReturnType<typeof contextFor>) =>
    createChangePlacementAction({ fleet, pollMs: 1 }).handler(context.ctx);

  it('orders, changes the Placement, waits until the clusters are left, and takes the order back', async () => {
    const { fleet, calls, bodies } = apiWith({
      ask: [
        () => used(['eu1'], ['as1', 'as2']),
        () => used([], ['as2']),
        () => used([], []),
      ],
      order: [() => false, () => true],
      withdraw: [() => true, () => false],
    });
    const context = contextFor(INPUT);
    await run(fleet, context);
    expect(calls).toEqual([
      ...['ask', 'order remove', 'order remove', 'put its-placement'],
      ...['ask', 'ask', 'withdraw', 'withdraw'],
    ]);
    const selection = { matchLabels: { region: 'eu' } };
    expect(bodies).toEqual([
      selection,
      { ...selection, owner: 'group:default/retail' },
      ...[selection, selection],
    ]);
    expect(context.outputs()).toEqual({
      ...REF,
      result: 'updated',
      summary: `**${REF.name}** comes to one cluster: eu1.\n\n**${REF.name}** left 2 clusters: as1, as2; what it ran there is removed.`,
    });
  });

  it('orders nothing where no cluster is left', async () => {
    const { fleet, calls } = apiWith({
      ask: [() => used(['eu1'], [])],
      put: () => 'unchanged',
    });
    const context = contextFor({ ...INPUT, leaving: undefined });
    await run(fleet, context);
    expect(calls).toEqual(['ask', 'put its-placement']);
    expect(context.outputs()).toMatchObject({ result: 'unchanged' });
  });

  it('asks for a choice of clusters', async () => {
    const { fleet, calls } = apiWith({ ask: [() => used([], [])] });
    await expect(
      run(fleet, contextFor({ ...INPUT, matchLabels: [] })),
    ).rejects.toThrow(/No clusters are chosen for/);
    expect(calls).toEqual([]);
  });

  it('takes the order back where the Placement may not be changed', async () => {
    const { fleet, calls } = apiWith({
      ask: [() => used([], ['as1'])],
      put: async () => {
        throw await refused(403, 'belongs to group:default/other');
      },
    });
    await expect(run(fleet, contextFor(INPUT))).rejects.toThrow(
      /Could not change where .* runs: belongs to group:default\/other/,
    );
    expect(calls.at(-1)).toBe('withdraw');
  });

  it('names the clusters that are not left in time, and what to do', async () => {
    const { fleet } = apiWith({ ask: [() => used([], ['as1'])] });
    await expect(
      run(fleet, contextFor({ ...INPUT, timeoutSeconds: 0.01 })),
    ).rejects.toThrow(
      /has not left one cluster: as1 yet. It goes on by itself.*remove the annotation argocd-fleet\/release/,
    );
  });

  it('sends nothing in a dry run', async () => {
    const { fleet, calls } = apiWith({ ask: [] });
    const context = contextFor(INPUT, { isDryRun: true });
    await run(fleet, context);
    expect(calls).toEqual([]);
    expect(context.outputs()).toMatchObject({
      result: 'dryRun',
      summary: expect.stringMatching(/Would change where/),
    });
  });

  it('runs its example', async () => {
    const { fleet, calls } = apiWith({ ask: [() => used(['eu1'], [])] });
    const [{ input }] = parse(changePlacementExamples[0].example).steps;
    await run(fleet, contextFor(input));
    expect(calls).toContain('put its-placement');
  });
});
