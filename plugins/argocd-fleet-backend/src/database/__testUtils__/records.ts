import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';
import {
  applicationRecord,
  recordChange,
} from '../../model/status/applicationRecord';
import type { FleetDatabase } from '../fleetDatabase';
import type { NamedChange } from '../fleetRecords';

export const HUB = 'hub';
/** A moment in the tests' own time. */
export const NOON = Date.parse('2026-11-22T12:00:00Z');
export const NAMESPACE = 'argocd';
export const SET = 'guestbook';

/** A row of the API of an Application on the cluster `one`. */
export function row(
  name: string,
  fields: Partial<ClusterApplication> = {},
): ClusterApplication {
  return {
    application: { namespace: NAMESPACE, name },
    cluster: { name: 'one', available: 'True', stale: false },
    deliveryModel: 'pull',
    health: 'Healthy',
    sync: 'Synced',
    state: 'ok',
    wanted: ['main'],
    conditions: [],
    resources: [{ kind: 'Service', name: 'guestbook' }],
    steps: [],
    ...fields,
  };
}

/** Somebody who records rows of a hub. */
export async function startWriter(
  database: FleetDatabase,
  hub = HUB,
  setUid?: string,
) {
  const { records } = database;
  const epoch = await records.takeOver(hub);
  const known: Map<string, NamedChange['known']> = new Map();
  for await (const page of records.load(hub)) {
    page.forEach(([{ name }, record]) => known.set(name, record));
  }
  return {
    known,
    /** Records what is new of the rows; answers with how many of them that were. */
    async record(rows: readonly ClusterApplication[], now = NOON) {
      const changes = rows.flatMap(each => {
        const { application } = each;
        const change = recordChange(
          applicationRecord(each, SET, setUid),
          known.get(application.name),
          now,
        );
        return change
          ? [
              {
                ...application,
                known: known.get(application.name),
                change,
                recordedAt: now,
              },
            ]
          : [];
      });
      const after = await records.record(hub, epoch, changes);
      changes.forEach(({ name }, index) => known.set(name, after[index]));
      return changes.length;
    },
    async markGone(name: string, now = NOON) {
      await records.record(hub, epoch, [
        { namespace: NAMESPACE, name, known: known.get(name), recordedAt: now },
      ]);
      known.delete(name);
    },
  };
}
