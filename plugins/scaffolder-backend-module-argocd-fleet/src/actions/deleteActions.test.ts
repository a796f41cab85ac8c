import type {
  ApplicationSetDetail,
  ArgocdFleetClient,
  ReleaseOrder,
} from 'backstage-plugin-argocd-fleet-common';
import { parse } from 'yaml';
import {
  applicationSetOn,
  onCluster,
  REF,
  REVISION_UNKNOWN,
} from '../__testUtils__/applicationSet';
import {
  answersInTurn,
  contextFor,
  refused,
  type Answer,
} from '../__testUtils__/actionRun';
import type { FleetAccess } from '../fleetAccess';
import { createDeleteApplicationSetAction } from './deleteApplicationSetAction';
import { deleteApplicationSetExamples } from './deleteApplicationSetAction.examples';
import { createDeletePlacementAction } from './deletePlacementAction';
import { deletePlacementExamples } from './deletePlacementAction.examples';

const SET = `${REF.hub}:${REF.namespace}/${REF.name}`;

/** An API that gives these answers, one after the other, and the last one from then on. */
function apiWith(answers: {
  order?: readonly Answer<boolean>[];
  remove?: readonly Answer<void>[];
  read?: readonly Answer<ApplicationSetDetail>[];
  placement?: Answer<void>;
}) {
  const { calls, answer } = answersInTurn();
  const gone = async () => {
    throw await refused(404, 'There is no ApplicationSet');
  };
  const { order = [() => true], remove = [() => {}] } = answers;
  const { read = [gone], placement = () => {} } = answers;
  const tokens: (string | undefined)[] = [];
  const client: Partial<ArgocdFleetClient> = {
    orderRelease: async (ref, release, o): Promise<ReleaseOrder> => {
      tokens.push(o?.token);
      const stored = await answer(`order ${release}`, order);
      return { ref, release, stored, placements: ['guestbook'] };
    },
    deleteApplicationSet: async ref => {
      await answer('delete', remove);
      return { ref };
    },
    getApplicationSet: () => answer('read', read),
    deletePlacement: async ref => {
      await answer(`delete placement ${ref.name}`, [placement]);
      return { ref };
    },
  };
  const fleet: FleetAccess = {
    client: client as ArgocdFleetClient,
    getToken: async () => 'token-of-the-user',
  };
  return { fleet, calls, tokens };
}

describe('argocd-fleet:applicationset:delete', () => {
  const run = (fleet: FleetAccess, context: ReturnType<typeof contextFor>) =>
    createDeleteApplicationSetAction({ fleet, pollMs: 1 }).handler(context.ctx);
  const INPUT = { applicationSet: SET, release: 'hand-over' };

  it('orders, waits until the order is stored, deletes, and waits until it is gone from every cluster', async () => {
    const { fleet, calls, tokens } = apiWith({
      order: [() => false, () => false, () => true],
      read: [
        () => applicationSetOn([onCluster('c1'), onCluster('c2')]),
        () => applicationSetOn([onCluster('c2')]),
        async () => {
          throw await refused(404, 'gone');
        },
      ],
    });
    const context = contextFor(INPUT);
    await run(fleet, context);
    expect(calls).toEqual([
      ...Array(3).fill('order hand-over'),
      'delete',
      ...Array(3).fill('read'),
    ]);
    expect(new Set(tokens)).toEqual(new Set(['token-of-the-user']));
    expect(context.log()).toEqual(
      expect.arrayContaining(['Still on 2: c1, c2', 'Still on 1: c2']),
    );
    expect(context.outputs()).toEqual({
      ...REF,
      result: 'deleted',
      placements: ['guestbook'],
    });
  });

  it('orders again where the ApplicationSet changes before it is deleted', async () => {
    const { fleet, calls } = apiWith({
      remove: [
        async () => {
          throw await refused(409, 'it is not stored yet');
        },
        () => {},
      ],
    });
    await run(fleet, contextFor(INPUT));
    expect(calls.slice(1)).toEqual([
      ...['order hand-over', 'delete', 'order hand-over', 'delete', 'read'],
    ]);
  });

  it('goes on after a restart, also when the ApplicationSet is gone meanwhile', async () => {
    const gone = async () => {
      throw await refused(404, 'gone');
    };
    const { fleet, calls } = apiWith({ order: [gone], remove: [gone] });
    const context = contextFor(INPUT, {
      checkpoint: async () => ({ exists: true, placements: ['kept'] }),
    });
    await run(fleet, context);
    expect(calls).toEqual(['order hand-over', 'read']);
    expect(context.outputs()).toMatchObject({
      result: 'deleted',
      placements: ['kept'],
    });
  });

  it('says that there is none, and deletes nothing', async () => {
    const { fleet, calls } = apiWith({
      order: [
        async () => {
          throw await refused(404, 'There is no ApplicationSet');
        },
      ],
    });
    const context = contextFor(INPUT);
    await run(fleet, context);
    expect(calls).toEqual(['order hand-over']);
    expect(context.outputs()).toEqual({
      ...REF,
      result: 'absent',
      placements: [],
    });
    expect(context.log()[0]).toMatch(/nothing is deleted/);
  });

  it('sends nothing in a dry run', async () => {
    const { fleet, calls } = apiWith({});
    const context = contextFor(INPUT, { isDryRun: true });
    await run(fleet, context);
    expect(calls).toEqual([]);
    expect(context.outputs()).toMatchObject({ result: 'dryRun' });
    expect(context.log()).toEqual([
      expect.stringMatching(
        /Would delete ApplicationSet .* with the order hand-over/,
      ),
    ]);
  });

  it.each([
    [403, 'belongs to group:default/other'],
    [409, 'was not made by Argo CD Fleet'],
    [503, 'the hub does not answer'],
  ])(
    'fails at once where the order is refused with %s',
    async (status, message) => {
      const { fleet, calls } = apiWith({
        order: [
          async () => {
            throw await refused(status, message);
          },
        ],
      });
      await expect(run(fleet, contextFor(INPUT))).rejects.toThrow(
        `Could not delete ApplicationSet ${REF.namespace}/${REF.name} on the hub "${REF.hub}": ${message}`,
      );
      expect(calls).toHaveLength(1);
    },
  );

  it('waits while the API cannot answer, and fails where it refuses', async () => {
    const { fleet, calls } = apiWith({
      order: [
        () => true,
        async () => {
          throw await refused(503, 'the hub does not answer');
        },
        () => true,
      ],
      remove: [
        async () => {
          throw await refused(403, 'may not be deleted by you');
        },
      ],
    });
    await expect(run(fleet, contextFor(INPUT))).rejects.toThrow(
      'may not be deleted by you',
    );
    expect(calls.filter(call => call === 'delete')).toHaveLength(1);
  });

  it('says what to do where the controllers do not store the order, and deletes nothing', async () => {
    const { fleet, calls } = apiWith({ order: [() => false] });
    await expect(
      run(fleet, contextFor({ ...INPUT, timeoutSeconds: 0.01 })),
    ).rejects.toThrow(
      /have not stored the order hand-over, so nothing is deleted.*does propagation run.*remove the annotation argocd-fleet\/release/,
    );
    expect(calls).not.toContain('delete');
  });

  it('names the clusters that keep it, what is found there, and that it goes on', async () => {
    const { fleet } = apiWith({
      read: [
        () =>
          applicationSetOn([
            onCluster('c1', 'Healthy', 'Synced', { finding: REVISION_UNKNOWN }),
          ]),
      ],
    });
    await expect(
      run(fleet, contextFor({ ...INPUT, timeoutSeconds: 0.01 })),
    ).rejects.toThrow(
      new RegExp(
        `goes on by itself; run this again.*Still on 1: c1.*${REVISION_UNKNOWN.code}.*What to do`,
        's',
      ),
    );
  });

  it.each(deleteApplicationSetExamples.map(({ example }) => [example]))(
    'runs its example %s',
    async example => {
      const { fleet, calls } = apiWith({});
      await run(fleet, contextFor(parse(example).steps[0].input));
      expect(calls).toContain('delete');
    },
  );
});

describe('argocd-fleet:placement:delete', () => {
  const run = (fleet: FleetAccess, context: ReturnType<typeof contextFor>) =>
    createDeletePlacementAction({ fleet }).handler(context.ctx);
  const failing = (status: number) =>
    apiWith({
      placement: async () => {
        throw await refused(status, 'another ApplicationSet uses it');
      },
    });

  it('deletes it, and is content where there is none', async () => {
    for (const [{ fleet, calls }, result] of [
      [apiWith({}), 'deleted'],
      [failing(404), 'absent'],
    ] as const) {
      const context = contextFor(REF);
      await run(fleet, context);
      expect(calls).toEqual([`delete placement ${REF.name}`]);
      expect(context.outputs()).toEqual({ result });
    }
  });

  it('keeps one that something uses where it may, and says why', async () => {
    const context = contextFor({ ...REF, ifUnused: true });
    await run(failing(409).fleet, context);
    expect(context.outputs()).toEqual({
      result: 'kept',
      reason: 'another ApplicationSet uses it',
    });
  });

  it.each([
    [409, {}],
    [403, { ifUnused: true }],
  ])('fails where it is refused with %s and %j', async (status, more) => {
    await expect(
      run(failing(status).fleet, contextFor({ ...REF, ...more })),
    ).rejects.toThrow(
      `Could not delete Placement ${REF.namespace}/${REF.name} on the hub "${REF.hub}": another ApplicationSet uses it`,
    );
  });

  it('sends nothing in a dry run', async () => {
    const { fleet, calls } = apiWith({});
    const context = contextFor(REF, { isDryRun: true });
    await run(fleet, context);
    expect(calls).toEqual([]);
    expect(context.outputs()).toEqual({ result: 'dryRun' });
  });

  it('has an example for what the action before it says', () => {
    const [step] = parse(deletePlacementExamples[0].example).steps;
    expect(step).toMatchObject({
      each: '${{ steps.delete.output.placements }}',
      input: { ifUnused: true },
    });
  });
});
