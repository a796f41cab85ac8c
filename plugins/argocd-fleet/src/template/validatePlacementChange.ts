import type { ApiHolder } from '@backstage/core-plugin-api';
import { argocdFleetApiRef } from '../api';
import { serverMessageOf } from '../live/requestProblem';
import { changeOf, type PlacementChangeValue } from './target';
import { isRefusal } from './validateTarget';

/**
 * Refuses a change that the portal cannot make, one that selects no cluster, and one that the API refuses. Where the API
 * cannot answer, the template goes on: its first step asks the hub.
 */
export async function validatePlacementChange(
  value: PlacementChangeValue = {},
  field: { addError(message: string): void },
  { apiHolder }: { readonly apiHolder: ApiHolder },
): Promise<void> {
  const wanted = changeOf(value);
  const api = apiHolder.get(argocdFleetApiRef);
  if (!wanted || !api) {
    return;
  }
  try {
    const { fixed, change } = await api.getPlacementInUse(
      wanted.ref,
      wanted.selection,
    );
    if (fixed !== undefined) {
      field.addError(fixed);
    } else if (!wanted.selection) {
      field.addError(
        'No clusters are chosen: choose cluster sets or cluster labels, or tick all clusters of the namespace',
      );
    } else if (change?.preview.selected === 0) {
      field.addError(
        'No cluster matches: it would run nowhere. To end it, retire it',
      );
    }
  } catch (error) {
    if (isRefusal(error)) {
      field.addError(serverMessageOf(error));
    }
  }
}
