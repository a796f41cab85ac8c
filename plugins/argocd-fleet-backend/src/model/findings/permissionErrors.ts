import {
  isNamespaceName,
  isObjectName,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationState } from '../feedback';
import { OPERATION_ERRORS, readArgocdMessage } from './argocdMessage';
import { clusterFindings } from './clusterFindings';
import type { DeniedPermissions } from './deniedPermissions';

/** An API server's message that an account lacks a permission; quotes are escaped where one program quotes another. */
const FORBIDDEN =
  /is forbidden: User \\?"system:serviceaccount:([^:"\\\s]+):([^:"\\\s]+)\\?" cannot (\S+) resource \\?"([^"\\\s]+)\\?"(?: in API group \\?"[^"\\\s]*\\?" in the namespace \\?"([^"\\\s]+)\\?")?/g;

/** A verb, or the plural name of a resource with its subresource. */
const PLAIN_WORD = /^[a-z][a-z0-9-]{0,62}(\/[a-z]{1,62})?$/;

/** Name that the operators and Helm charts of Argo CD give to the account that syncs. */
const CONTROLLER = /(^|-)argocd-application-controller$/;

interface Denial extends Pick<DeniedPermissions, 'account' | 'verb'> {
  readonly kind: string;
  readonly namespace?: string;
  readonly evidence: string;
}

/**
 * Recognises that an account lacks permissions; all denials of one verb to one account are one finding.
 * @param argocdNamespace - as configured
 */
export function permissionFinding(
  cluster: string,
  state: ApplicationState,
  argocdNamespace: string | undefined,
): Finding | undefined {
  const denials = clusterTexts(state).flatMap(denialsIn);
  const [first] = denials;
  if (!first) {
    return undefined;
  }
  const { account, verb, evidence } = first;
  const same = denials.filter(
    denial =>
      denial.verb === verb &&
      denial.account.name === account.name &&
      denial.account.namespace === account.namespace,
  );
  const namespaces = same.map(({ namespace }) => namespace ?? '');
  return clusterFindings.forbidden(
    {
      cluster,
      verb,
      kinds: [...new Set(same.map(({ kind }) => kind))],
      namespaces: namespaces.includes('') ? [] : [...new Set(namespaces)],
      account,
      trusted:
        account.namespace === argocdNamespace &&
        isArgoCdAccount(account, state),
    },
    { evidence },
  );
}

/** Messages about rendering are left out: a chart can word its errors as it likes. */
function clusterTexts(state: ApplicationState): string[] {
  return [
    ...state.failedResources.flatMap(({ message }) => message ?? []),
    ...state.conditions
      .filter(({ type, message }) => {
        const { place } = readArgocdMessage(message);
        return (
          place === 'liveState' ||
          (place === 'other' && OPERATION_ERRORS.includes(type))
        );
      })
      .map(({ message }) => message),
  ];
}

/** A message with names that Kubernetes does not allow is not from an API server. */
function denialsIn(evidence: string): Denial[] {
  return [...evidence.matchAll(FORBIDDEN)].flatMap(
    ([, accountNamespace, name, verb, kind, namespace]) => {
      const isPlain =
        isNamespaceName(accountNamespace) &&
        isObjectName(name) &&
        PLAIN_WORD.test(verb) &&
        PLAIN_WORD.test(kind) &&
        (namespace === undefined || isNamespaceName(namespace));
      const account = { namespace: accountNamespace, name };
      return isPlain ? [{ account, verb, kind, namespace, evidence }] : [];
    },
  );
}

/**
 * Neither the name nor the configured namespace alone prove it: in the namespaces that the Application deploys to, its
 * tenant can create accounts of any name, and have a failing hook print the message of an API server.
 */
function isArgoCdAccount(
  account: DeniedPermissions['account'],
  state: ApplicationState,
): boolean {
  const deployedTo = [
    state.comparedTo?.destination.namespace,
    ...[...state.resources, ...state.failedResources].map(
      ({ namespace }) => namespace,
    ),
  ];
  return (
    CONTROLLER.test(account.name) && !deployedTo.includes(account.namespace)
  );
}
