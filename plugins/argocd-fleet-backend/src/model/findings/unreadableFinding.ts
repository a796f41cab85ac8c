import type {
  Finding,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationFindings } from './applicationFindings';

/** The finding about an object of which only the metadata are known; undefined for any other. */
export function unreadableFinding({
  kind,
  metadata: { namespace, name },
  unreadable,
}: KubernetesObject): Finding | undefined {
  return unreadable === undefined
    ? undefined
    : applicationFindings.unreadable(kind, unreadable, {
        object: { kind, name, ...(namespace && { namespace }) },
      });
}
