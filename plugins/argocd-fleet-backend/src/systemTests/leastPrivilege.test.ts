import { mockServices } from '@backstage/backend-test-utils';
import {
  deployedRbac,
  rightsOf,
  withoutRight,
  type RbacObject,
  type Right,
} from '../__testUtils__/deployedRbac';
import { oneHub } from '../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../__testUtils__/hubFixture';
import {
  aggregating,
  bringingAppProjects,
  bringingStatusHome,
  creating,
  importingClusters,
  importingWithTokens,
  lookingAtTheHub,
  prepareHub,
  propagating,
  reading,
  type Scenario,
  type Stage,
} from '../__testUtils__/privilegeScenarios';
import { waitFor } from '../__testUtils__/waitFor';
import { CONTROLLER_NAMES } from '../config/controllerNames';
import { readFleetConfig } from '../config/fleetConfig';
import { createFleetHub, type FleetHub } from '../fleetHub';

jest.setTimeout(90_000);

/** What makes use of each role; the first that has something to do with a right is the one that has to miss it. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'argocd-fleet-propagation': propagating,
  'argocd-fleet-application-status': bringingStatusHome,
  'argocd-fleet-aggregation': aggregating,
  'argocd-fleet-create': creating,
  'argocd-fleet-app-projects': bringingAppProjects,
  'argocd-fleet-cluster-import': importingClusters,
  'argocd-fleet-cluster-import-read': importingClusters,
  'argocd-fleet-cluster-import-write': importingClusters,
  'argocd-fleet-managed-service-accounts': importingWithTokens,
};

function scenarioOf({ role, verb, resource, objectName }: Right): Scenario {
  if (role !== 'argocd-fleet-read') {
    return SCENARIOS[role];
  }
  if (resource === 'applications' && verb === 'get') {
    return propagating;
  }
  if (resource === 'multiclusterapplicationsetreports' && verb === 'get') {
    return aggregating;
  }
  return objectName ? lookingAtTheHub : reading;
}

const DEPLOYED = deployedRbac();

/** Two roles that give the same would hide that it is needed for both. */
function rolesWithout(right: Right): RbacObject[] {
  return DEPLOYED.reduce(
    (objects, { metadata }) =>
      withoutRight(objects, { ...right, role: metadata.name }),
    DEPLOYED,
  );
}

/** Without these the backend is only late: what cannot be watched is listed again and again. */
function isForPromptness({ verb, resource, objectName }: Right): boolean {
  return (
    verb === 'watch' &&
    (resource === 'appprojects' ||
      objectName?.startsWith('multicluster-integrations') === true)
  );
}

describe('the rights of deploy/rbac', () => {
  const stops: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) {
      await stop();
    }
  });

  async function begin(
    scenario: Scenario,
    rbac: readonly RbacObject[],
  ): Promise<Stage> {
    const testHub = await startTestHub({ rbac });
    stops.push(testHub.stop);
    await prepareHub(testHub);
    await scenario.prepare?.(testHub);
    const hub = fleetOn(testHub, scenario);
    const ending = new AbortController();
    const running = [
      hub.cache.run(ending.signal),
      ...hub.runners
        .filter(({ mode }) => mode !== 'off')
        .map(runner => runner.run(ending.signal)),
    ];
    stops.push(async () => {
      ending.abort();
      await Promise.allSettled(running);
      await hub.client.close();
    });
    return { testHub, hub };
  }

  /** What the backend says that it may not do, and what came back to who asked it for something. */
  function complaints(hub: FleetHub, refusals: readonly string[]) {
    return [
      ...(hub.cache.state().findings ?? []),
      ...hub.runners.flatMap(runner => runner.status().findings ?? []),
    ]
      .map(({ evidence = '' }) => evidence)
      .concat(refusals)
      .filter(text => text.includes('is forbidden'));
  }

  /** Plays the scenario to its end, or until the backend complains of what it may not do. */
  async function play(scenario: Scenario, on: Stage): Promise<string[]> {
    const refusals: string[] = [];
    for (const { act, seen } of scenario.steps) {
      await act(on).catch(error => refusals.push(String(error)));
      await waitFor(async () => {
        if (complaints(on.hub, refusals).length > 0) {
          return true;
        }
        return (await seen(on)) || scenario.missed?.(on);
      });
      const found = complaints(on.hub, refusals);
      if (found.length > 0 || scenario.missed?.(on)) {
        return found;
      }
    }
    return [];
  }

  it.each(Object.entries({ reading, lookingAtTheHub, ...SCENARIOS }))(
    'are enough for %s',
    async (_, scenario) => {
      const on = await begin(scenario, DEPLOYED);
      expect(await play(scenario, on)).toEqual([]);
      expect(await scenario.steps.at(-1)?.seen(on)).toBe(true);
    },
  );

  it.each(
    rightsOf(DEPLOYED).map(right => [describeRight(right), right] as const),
  )('are none too many: %s', async (_, right) => {
    const scenario = scenarioOf(right);
    const on = await begin(scenario, rolesWithout(right));
    expect(await howMissed(right, scenario, on)).toBeTruthy();
  });

  /** How it shows that the backend lacks a right; fails where it does not. */
  async function howMissed(right: Right, scenario: Scenario, on: Stage) {
    const { verb, resource } = right;
    const found = await play(scenario, on);
    const complaint = new RegExp(
      `cannot ${verb} resource "${resource}"|Resources:\\["${resource}"\\], Verbs:\\["${verb}"\\]`,
    );
    // The scenario may be at its end before the hub refuses the first time.
    return waitFor(() => {
      if (complaints(on.hub, found).some(text => complaint.test(text))) {
        return 'it says so';
      }
      if (scenario.missed?.(on)) {
        return 'what there was to see was not seen';
      }
      const asked = on.testHub.hub.requests.some(
        request => request.verb === verb && request.resource === resource,
      );
      return isForPromptness(right) && asked && 'it is late';
    });
  }
});

function fleetOn(testHub: TestHub, scenario: Scenario): FleetHub {
  const mode = scenario.observe ? 'observe' : 'manage';
  const controllers = Object.fromEntries(
    CONTROLLER_NAMES.map(name => [
      name,
      {
        mode: scenario.controllers.includes(name) ? mode : 'off',
        fullPassEvery: '100ms',
      },
    ]),
  );
  const config = readFleetConfig(
    mockServices.rootConfig({
      data: {
        argocdFleet: oneHub(testHub.kubeconfigPath, {
          controllers,
          propagation: {
            includeAppProject: scenario.includeAppProject ?? false,
          },
        }),
      },
    }),
  );
  return createFleetHub({
    hub: config.hubs[0],
    config,
    logger: mockServices.logger.mock(),
    onControllerChange: () => {},
  });
}

function describeRight({ role, verb, group, resource, objectName }: Right) {
  const what = group ? `${resource}.${group}` : resource;
  return `${role} to ${verb} ${what}${objectName ? ` ${objectName}` : ''}`;
}
