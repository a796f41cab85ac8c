import type { ApiHolder } from '@backstage/core-plugin-api';
import { argocdFleetApiRef } from '../api';
import { requestProblemOf, serverMessageOf } from '../live/requestProblem';
import { selectionOf, type Target } from './target';

/**
 * Refuses a target that selects no cluster now, and one that the API refuses, such as an unknown hub. Where the API
 * cannot answer, the template goes on: its first step asks the hub.
 */
export async function validateTarget(
  target: Target | undefined,
  field: { addError(message: string): void },
  { apiHolder }: { readonly apiHolder: ApiHolder },
): Promise<void> {
  const chosen = selectionOf(target ?? {});
  const api = apiHolder.get(argocdFleetApiRef);
  if (!chosen || !api) {
    return;
  }
  const { hub, namespace, selection } = chosen;
  try {
    const preview = await api.previewPlacement({ hub, namespace }, selection);
    if (preview.matching === 0) {
      field.addError(
        preview.clusterSets.length === 0
          ? `None of these cluster sets is bound to the namespace ${namespace}, so no cluster can be selected`
          : `No cluster of ${preview.clusterSets.join(', ')} has these labels`,
      );
    } else if (preview.unboundSets.length > 0) {
      field.addError(
        `Not bound to the namespace ${namespace}, or not on the hub: ${preview.unboundSets.join(', ')}`,
      );
    }
  } catch (error) {
    if (isRefusal(error)) {
      field.addError(serverMessageOf(error));
    }
  }
}

/** Whether the API has answered that this target is wrong, and not that it cannot answer. */
function isRefusal(error: unknown): error is Error {
  return (
    error instanceof Error &&
    (requestProblemOf(error) === 'notFound' ||
      (error as { statusCode?: number }).statusCode === 400)
  );
}
