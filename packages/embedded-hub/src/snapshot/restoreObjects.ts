import { copyJson } from '../api/kubernetesObject';
import { HubContext } from '../operations/hubContext';
import { ObjectRestorer } from './objectRestorer';
import { readSnapshot } from './readSnapshot';
import { SnapshotSource } from './snapshotObject';

/**
 * Restores the objects of a snapshot into an empty store. They are trusted: only what the store needs is validated. The
 * state that a hub saved is restored unchanged. Objects from elsewhere are added to those of every new hub, which
 * `seed` creates, and get the fields that they lack: uid, times, generation, defaults, managed fields and a
 * resourceVersion.
 *
 * @throws Error when the snapshot is damaged, or the hub cannot store an object of it.
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
