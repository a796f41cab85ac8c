import { request } from 'undici';
import { FLEET_RESOURCES, type FleetResource } from '../fleet/resources';
import type { ObjectName } from '../kubernetes/client/client';
import { createConnector } from '../kubernetes/client/connection';

/**
 * Deletes an object as `kubectl delete --cascade=orphan` does: the garbage collector takes its owner references off what
 * it owns. The backend never does so, and its client cannot.
 * @param kubeconfigPath - of a user who may do so
 */
export async function deleteOrphaning(
  kubeconfigPath: string,
  resource: FleetResource,
  { namespace, name }: ObjectName,
): Promise<void> {
  const connector = createConnector({
    server: 'hub "test"',
    access: { kubeconfig: { path: kubeconfigPath } },
  });
  const { group, version, plural } = FLEET_RESOURCES[resource];
  try {
    const { origin, headers, dispatcher } = await connector.connect();
    const { statusCode, body } = await request(
      `${origin}/apis/${group}/${version}/namespaces/${namespace}/${plural}/${name}`,
      {
        method: 'DELETE',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          propagationPolicy: 'Orphan',
        }),
        dispatcher,
      },
    );
    const answer = await body.text();
    if (statusCode >= 300) {
      throw new Error(`${plural} ${name} was not deleted: ${answer}`);
    }
  } finally {
    await connector.close();
  }
}
