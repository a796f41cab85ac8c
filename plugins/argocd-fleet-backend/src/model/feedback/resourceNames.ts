import {
  isNamespaceName,
  isObjectName,
  type ApplicationResource,
} from 'backstage-plugin-argocd-fleet-common';

type Identity = Pick<
  ApplicationResource,
  'group' | 'version' | 'kind' | 'namespace' | 'name'
>;

const KIND = /^[A-Za-z][A-Za-z0-9]{0,62}$/;
const VERSION = /^[A-Za-z0-9]{1,63}$/;
/** Wider than a subdomain: names of RBAC and of OpenShift's users have colons, capitals and others. */
const NAME = /^[A-Za-z0-9_][-A-Za-z0-9_.:@+=~]{0,252}$/;

/**
 * Whether an object of a cluster can have these names. They are a cluster's own statement, and get into reports, the
 * database, views and commands: what is no name is left out where it enters.
 */
export function hasLegalNames({
  group,
  version,
  kind,
  namespace,
  name,
}: Identity): boolean {
  return (
    NAME.test(name) &&
    KIND.test(kind) &&
    (!namespace || isNamespaceName(namespace)) &&
    (!group || isObjectName(group)) &&
    (!version || VERSION.test(version))
  );
}
