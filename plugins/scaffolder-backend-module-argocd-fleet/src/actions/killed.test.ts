import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMockDirectory } from '@backstage/backend-test-utils';
import { parse } from 'yaml';
import {
  runUntil,
  ticking,
  type Checkpoints,
  type RunEnd,
} from '../__testUtils__/killableRun';
import {
  createStatefulFleet,
  type StatefulFleet,
} from '../__testUtils__/statefulFleet';
import type { FleetAccess } from '../fleetAccess';
import { createChangePlacementAction } from './changePlacementAction';
import { createApplicationSetAction } from './createApplicationSetAction';
import { applicationSetExamples } from './createApplicationSetAction.examples';
import { createPlacementAction } from './createPlacementAction';
import { placementExamples } from './createPlacementAction.examples';
import { createDeleteApplicationSetAction } from './deleteApplicationSetAction';
import { createDeletePlacementAction } from './deletePlacementAction';
import { createEnsureGitOpsClusterAction } from './ensureGitOpsClusterAction';
import { createRenderAction } from './renderAction';
import { renderExamples } from './renderAction.examples';

const inputOf = ([{ example }]: readonly { readonly example: string }[]) =>
  parse(example).steps[0].input;

interface KilledAction {
  readonly input: object;
  action(options: { readonly fleet: FleetAccess; readonly pollMs: number }): {
    handler(ctx: never): Promise<void>;
  };
}

const SHOP = { hub: 'hub', namespace: 'argocd', name: 'shop' };

const ACTIONS: Readonly<Record<string, KilledAction>> = {
  'placement:create': {
    input: inputOf(placementExamples),
    action: createPlacementAction,
  },
  'applicationset:create': {
    input: inputOf(applicationSetExamples),
    action: createApplicationSetAction,
  },
  'gitopscluster:ensure': {
    input: { ...SHOP, placement: 'its-placement' },
    action: createEnsureGitOpsClusterAction,
  },
  render: {
    input: { ...inputOf(renderExamples), name: 'new-shop' },
    action: createRenderAction,
  },
  'placement:change': {
    input: {
      applicationSet: 'hub:argocd/shop',
      matchLabels: ['a=eu'],
      leaving: 'hand-over',
    },
    action: createChangePlacementAction,
  },
  'applicationset:delete': {
    input: { applicationSet: 'hub:argocd/shop', release: 'orphan' },
    action: createDeleteApplicationSetAction,
  },
  'placement:delete': {
    input: { ...SHOP, name: 'its-placement' },
    action: createDeletePlacementAction,
  },
};

/** A hub with an application that runs on two clusters. */
function hubWithShop(): StatefulFleet {
  const fleet = createStatefulFleet();
  fleet.sets.set('shop', { placement: 'its-placement' });
  fleet.placements.set('its-placement', {
    matchLabels: { a: 'as', b: 'us' },
  });
  return fleet;
}

describe('a run that is killed, and resumed by a task with its checkpoints', () => {
  const workspace = createMockDirectory();
  afterEach(() => workspace.clear());

  async function filesIn(paths: unknown): Promise<string[]> {
    return Promise.all(
      ((paths as string[] | undefined) ?? []).map(path =>
        readFile(join(workspace.path, path), 'utf8'),
      ),
    );
  }

  async function run(
    { action, input }: KilledAction,
    fleet: StatefulFleet,
    checkpoints: Checkpoints,
    killAt?: number,
  ): Promise<RunEnd> {
    return runUntil(
      {
        ...{ input, checkpoints, workspacePath: workspace.path },
        run: (tick, ctx) =>
          action({
            fleet: {
              client: ticking(fleet.client, tick),
              getToken: async () => 'token',
            },
            pollMs: 1,
          }).handler(ctx),
      },
      killAt,
    );
  }

  it.each(Object.keys(ACTIONS))(
    '%s: ends as an undisturbed one, and does nothing twice, wherever it was',
    async name => {
      const undisturbed = hubWithShop();
      const expected = await run(ACTIONS[name], undisturbed, new Map());
      const files = await filesIn(expected.outputs?.files);
      const { points } = expected;
      expect(points.length).toBeGreaterThan(1);
      // What was done, of which a second run knows no more.
      const { result: _first, ...outputs } = expected.outputs!;

      for (let killAt = 1; killAt <= points.length; killAt += 1) {
        const fleet = hubWithShop();
        const checkpoints: Checkpoints = new Map();
        const first = await run(ACTIONS[name], fleet, checkpoints, killAt);
        // The workspace is another one.
        workspace.clear();
        const second = await run(ACTIONS[name], fleet, checkpoints);
        const { result: _second, ...resumed } = second.outputs!;
        expect({
          at: first.points.at(-1),
          killed: first.outputs === undefined,
          outputs: resumed,
          files: await filesIn(resumed.files),
          effects: fleet.effects,
          placements: [...fleet.placements],
          sets: [...fleet.sets],
        }).toEqual({
          at: points[killAt - 1],
          killed: true,
          outputs,
          files,
          effects: undisturbed.effects,
          placements: [...undisturbed.placements],
          sets: [...undisturbed.sets],
        });
      }
    },
  );
});
