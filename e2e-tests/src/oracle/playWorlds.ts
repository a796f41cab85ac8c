import { randomBytes } from 'node:crypto';
import { OracleCase, WorldName } from './oracleCase';
import { OracleHub } from './oracleHub';
import { Outcomes, playCases } from './playCases';
import { worldObjects } from './world';

const WORLDS: readonly WorldName[] = ['usual', 'own-secret'];

/** An ApplicationSet controller for the one namespace. */
export type StartController = (
  kubeconfig: string,
  namespace: string,
) => Promise<{ stop(): Promise<void> }>;

/** Plays cases on a hub, those of each world in a namespace and with a controller of its own. */
export async function playWorlds(
  kubeconfig: string,
  cases: readonly OracleCase[],
  startController: StartController,
): Promise<Outcomes> {
  const hub = await OracleHub.connect(kubeconfig);
  const run = randomBytes(3).toString('hex');
  const playWorld = async (world: WorldName) => {
    const namespace = `oracle-${run}-${world}`;
    const [first, ...others] = worldObjects(world, namespace);
    await hub.create(first);
    try {
      for (const object of others) {
        await hub.create(object);
      }
      const controller = await startController(kubeconfig, namespace);
      try {
        const own = cases.filter(each => each.world === world);
        return await playCases(hub, namespace, own);
      } finally {
        await controller.stop();
      }
    } finally {
      await hub.delete(`/api/v1/namespaces/${namespace}`);
    }
  };
  try {
    return Object.assign({}, ...(await Promise.all(WORLDS.map(playWorld))));
  } finally {
    hub.close();
  }
}
