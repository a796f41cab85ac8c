import { RUN } from '../environment';
import { HubClient } from '../hub/hubClient';
import { fixtureObjects } from './fixtures';
import { FixtureName, OracleCase } from './oracleCase';
import { Outcomes, runCases } from './runCases';

const FIXTURES: readonly FixtureName[] = ['usual', 'own-secret'];

/** Starts an ApplicationSet controller for one namespace. */
export type StartController = (
  kubeconfig: string,
  namespace: string,
) => Promise<{ stop(): Promise<void> }>;

/** Runs cases on a hub; each fixture gets a namespace and a controller of its own. See {@link runCases}. */
export async function runCasesByFixture(
  kubeconfig: string,
  cases: readonly OracleCase[],
  startController: StartController,
  snapshotEveryMs: number,
): Promise<Outcomes> {
  const hub = await HubClient.connect(kubeconfig);
  const runFixture = async (fixture: FixtureName) => {
    const namespace = `oracle-${RUN}-${fixture}`;
    const [namespaceObject, ...objects] = fixtureObjects(fixture, namespace);
    await hub.create(namespaceObject);
    try {
      for (const object of objects) {
        await hub.create(object);
      }
      const controller = await startController(kubeconfig, namespace);
      try {
        return await runCases(
          hub,
          namespace,
          cases.filter(each => each.fixture === fixture),
          snapshotEveryMs,
        );
      } finally {
        await controller.stop();
      }
    } finally {
      await hub.deleteIfPresent('namespaces', undefined, namespace);
    }
  };
  try {
    return Object.assign({}, ...(await Promise.all(FIXTURES.map(runFixture))));
  } finally {
    hub.close();
  }
}
