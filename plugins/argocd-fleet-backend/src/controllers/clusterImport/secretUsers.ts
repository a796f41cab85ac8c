import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../../kubernetes/client';
import {
  clusterReferences,
  namesOfCluster,
  type StoredSecret,
} from '../../model/clusterimport';

/**
 * `<namespace>/<name>` of the Applications whose destination is the cluster of a Secret, by Secret. An Application of
 * which only the metadata are known may use any of them.
 */
export function secretUsers(
  secrets: readonly StoredSecret[],
  applications: Iterable<ArgoApplication>,
): ReadonlyMap<StoredSecret, ReadonlySet<string>> {
  const users = new Map<StoredSecret, Set<string>>();
  const byName = new Map(
    secrets.flatMap(secret =>
      namesOfCluster(secret).map(name => [name, secret] as const),
    ),
  );
  for (const application of byName.size > 0 ? applications : []) {
    for (const name of application.unreadable
      ? byName.keys()
      : clusterReferences(application)) {
      const secret = byName.get(name);
      if (secret) {
        const names = users.get(secret) ?? new Set();
        users.set(secret, names.add(objectKey(application.metadata)));
      }
    }
  }
  return users;
}
