import { MANAGED_BY } from 'backstage-plugin-argocd-fleet-common';
import { flatText } from '../../kubernetes/informer';
import { isRecord } from '../../model/json';
import { specWriterAfter, type ManagedFields } from './specWriter';

type Loose = Readonly<Record<string, unknown>>;

/** A message of fewer lines is kept as it is. */
const MIN_LINES = 4;

/** All that is read of who wrote a work: whether anybody did after us. */
export function specWriter(entries: readonly ManagedFields[] | undefined) {
  const other = specWriterAfter(MANAGED_BY, entries ?? []);
  return other ? { specWriter: other } : {};
}

/** Of a work as a whole only `Applied` is read; what else is told of it, its manifests' conditions say again, digest and all. */
export function transformWorkStatus(
  status: Loose | undefined,
): Loose | undefined {
  if (!status) {
    return undefined;
  }
  const { resourceStatus } = status;
  return {
    ...status,
    ...(Array.isArray(status.conditions) && {
      conditions: status.conditions.filter(
        condition => isRecord(condition) && condition.type === 'Applied',
      ),
    }),
    ...(isRecord(resourceStatus) &&
      Array.isArray(resourceStatus.manifests) && {
        resourceStatus: {
          manifests: resourceStatus.manifests.map(slimManifestStatus),
        },
      }),
  };
}

function slimManifestStatus(manifest: unknown): unknown {
  return isRecord(manifest) && Array.isArray(manifest.conditions)
    ? { ...manifest, conditions: manifest.conditions.map(withLines) }
    : manifest;
}

/** Long messages differ from work to work by a line or two: the other lines can be the same ones in memory. */
function withLines(condition: unknown): unknown {
  if (!isRecord(condition) || typeof condition.message !== 'string') {
    return condition;
  }
  const lines = condition.message.split('\n');
  return lines.length < MIN_LINES
    ? condition
    : {
        type: condition.type,
        status: condition.status,
        reason: condition.reason,
        observedGeneration: condition.observedGeneration,
        lastTransitionTime: condition.lastTransitionTime,
        messageLines: lines.map(flatText),
      };
}
