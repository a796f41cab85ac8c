import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { mockServices } from '@backstage/backend-test-utils';
import {
  appliedByDefault,
  defaultRbac,
  deployedRbacWriting,
  rightsOf,
  withoutRight,
  type RbacObject,
  type Right,
} from '../../__testUtils__/deployedRbac';
import { oneHub } from '../../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import { NAMESPACE } from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import { CONTROLLER_NAMES } from '../../config/controllerNames';
import { readFleetConfig } from '../../config/fleetConfig';
import { createFleetHub, type FleetHub } from '../../fleetHub';
import { isKubernetesError } from '../../kubernetes/client';
import {
  aggregating,
  creating,
  deleting,
  importing,
} from './__testUtils__/applicationSetScenarios';
import {
  importingClusters,
  importingWithTokens,
} from './__testUtils__/clusterImportScenarios';
import {
  prepareHub,
  type Scenario,
  type Stage,
} from './__testUtils__/scenario';
import {
  deliveringAppProjects,
  observing,
  propagating,
  reading,
  updatingStatus,
} from './__testUtils__/workScenarios';

/** The scenario that needs the rights of each role. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'argocd-fleet-propagation': propagating,
  'argocd-fleet-application-status': updatingStatus,
  'argocd-fleet-aggregation': aggregating,
  'argocd-fleet-create': creating,
  'argocd-fleet-delete': deleting,
  'argocd-fleet-import': importing,
  'argocd-fleet-app-projects': deliveringAppProjects,
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
  return objectName ? observing : reading;
}

const DEPLOYED = deployedRbacWriting(NAMESPACE);

/** Removes a right from every role: another role that also gives it would hide that it is missing. */
function rolesWithout(right: Right): RbacObject[] {
  return DEPLOYED.reduce(
    (objects, { metadata }) =>
      withoutRight(objects, { ...right, role: metadata.name }),
    DEPLOYED,
  );
}

/** Without these rights the backend is only slower: it lists again and again what it cannot watch. */
function onlySavesTime({ verb, resource, objectName }: Right): boolean {
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

  /** Texts about missing permissions: evidence of findings, and errors of the scenario's own requests. */
  function permissionErrors(hub: FleetHub, refusals: readonly string[]) {
    return [
      ...(hub.cache.state().findings ?? []),
      ...hub.runners.flatMap(runner => runner.status().findings ?? []),
    ]
      .map(({ evidence = '' }) => evidence)
      .concat(refusals)
      .filter(text => text.includes('is forbidden'));
  }

  /**
   * Runs the scenario to its end, or until the backend reports a missing permission.
   * @throws what a step's own request fails with for another reason
   */
  async function play(scenario: Scenario, on: Stage): Promise<string[]> {
    const refusals: string[] = [];
    for (const { act, isDone } of scenario.steps) {
      await act(on).catch(error => {
        if (!isKubernetesError(error, 'forbidden')) {
          throw error;
        }
        refusals.push(error.message);
      });
      await waitFor(async () => {
        if (permissionErrors(on.hub, refusals).length > 0) {
          return true;
        }
        return (await isDone(on)) || scenario.failedSilently?.(on);
      });
      const found = permissionErrors(on.hub, refusals);
      if (found.length > 0 || scenario.failedSilently?.(on)) {
        return found;
      }
    }
    return [];
  }

  it.each(Object.entries({ reading, observing, ...SCENARIOS }))(
    'are enough for %s',
    async (_, scenario) => {
      const on = await begin(scenario, DEPLOYED);
      expect(await play(scenario, on)).toEqual([]);
      expect(await scenario.steps.at(-1)?.isDone(on)).toBe(true);
    },
  );

  it.each(
    Object.entries({
      reading,
      observing,
      propagating,
      updatingStatus,
      aggregating,
    }),
  )('that are applied by default are enough for %s', async (_, scenario) => {
    const on = await begin(scenario, defaultRbac());
    expect(await play(scenario, on)).toEqual([]);
    expect(await scenario.steps.at(-1)?.isDone(on)).toBe(true);
  });

  it('that are applied by default read no Secrets and create no ApplicationSets', () => {
    const objects = defaultRbac();
    const bound = new Set(objects.map(({ roleRef }) => roleRef?.name));
    const rights = rightsOf(
      objects.filter(({ metadata }) => bound.has(metadata.name)),
    );
    expect(rights.map(({ resource }) => resource)).toContain('manifestworks');
    for (const { verb, resource } of rights) {
      expect(resource).not.toBe('secrets');
      expect(`${verb} ${resource}`).not.toMatch(
        /^(create|patch|delete) (applicationsets|placements)$/,
      );
    }
  });

  it('are described, and apart from those that are applied by default', () => {
    const deploy = resolve(__dirname, '../../../../../deploy');
    const readme = readFileSync(`${deploy}/README.md`, 'utf8');
    const [byDefault, further] = readme.split('Each further right');
    const applied = new Set(appliedByDefault());
    const wrong = readdirSync(`${deploy}/rbac`).filter(
      name =>
        name.endsWith('.yaml') &&
        !(applied.has(`rbac/${name}`)
          ? byDefault.includes(`| \`rbac/${name}\``)
          : further.includes(`| \`${name}\``)),
    );
    expect(wrong).toEqual([]);
  });

  it.each(
    rightsOf(DEPLOYED).map(right => [describeRight(right), right] as const),
  )('are all needed: %s', async (_, right) => {
    const scenario = scenarioOf(right);
    const on = await begin(scenario, rolesWithout(right));
    expect(await effectOfMissing(right, scenario, on)).toBeTruthy();
  });

  /** How the missing right shows. @throws Error if it does not show */
  async function effectOfMissing(right: Right, scenario: Scenario, on: Stage) {
    const { verb, resource } = right;
    const found = await play(scenario, on);
    const namesRight = new RegExp(
      `cannot ${verb} resource "${resource}"|Resources:\\["${resource}"\\], Verbs:\\["${verb}"\\]`,
    );
    // The scenario may end before the hub first refuses a request.
    return waitFor(() => {
      if (permissionErrors(on.hub, found).some(text => namesRight.test(text))) {
        return 'the backend names it';
      }
      if (scenario.failedSilently?.(on)) {
        return 'the effect is missing';
      }
      const wasTried = on.testHub.hub.requests.some(
        request => request.verb === verb && request.resource === resource,
      );
      return onlySavesTime(right) && wasTried && 'the backend is slower';
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
          clusterImport: {
            managedServiceAccounts: { [NAMESPACE]: ['argocd'] },
          },
          propagation: {
            includeAppProject: scenario.includeAppProject ?? false,
            argocdNamespace: NAMESPACE,
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
