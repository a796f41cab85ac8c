import { copyJson } from '../api/kubernetesObject';
import { HubContext } from '../operations/hubContext';
import { ObjectRestorer } from './objectRestorer';
import { readSnapshot } from './readSnapshot';
import { SnapshotSource } from './snapshotObject';

/**
 * Puts the objects of a snapshot into an empty store. They are trusted: nothing
 * is validated beyond what the store needs. The state that a hub saved comes
 * back as it was; to objects from elsewhere, `seed` first adds what every hub
 * has, and each gets what it lacks: uid, times, generation, defaults, managed
 * fields and a resourceVersion of this hub.
 *
 * @throws when the snapshot is damaged, or an object of it has no place here.
 */
export async function restoreObjects(
  context: HubContext,
  source: SnapshotSource,
  seed: () => void,
): Promise<void> {
  if (typeof source !== 'string') {
    seed();
    const restorer = new ObjectRestorer(context, false);
    let count = 0;
    for await (const object of source) {
      count += 1;
      restorer.add(copyJson(object), `Object ${count} of the snapshot`);
    }
    restorer.finish('The snapshot');
    return;
  }
  const { head, objects } = await readSnapshot(source);
  const saved = head.revision !== undefined;
  if (!saved) {
    seed();
  }
  const restorer = new ObjectRestorer(context, saved);
  for await (const { line, object } of objects) {
    restorer.add(object, `${source}, line ${line}`);
  }
  restorer.finish(source, head.revision);
}
