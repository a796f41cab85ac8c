import type { ApiHolder } from '@backstage/core-plugin-api';
import {
  isInRepositories,
  matchesName,
  type PlacementOptions,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetApiRef } from '../api';
import { requestProblemOf, serverMessageOf } from '../live/requestProblem';
import { isChosen, selectionOf, type Target } from './target';

/** What the form has besides the target, as the template names it. */
interface FormData {
  readonly name?: unknown;
  readonly repoURL?: unknown;
  readonly destinationNamespace?: unknown;
}

/**
 * Refuses a target where no cluster is chosen, or none is selected now; one that the API refuses, such as an unknown hub;
 * and a repository or a namespace that the configuration does not allow there. Where the API cannot answer, the template
 * goes on: its first step asks the hub.
 */
export async function validateTarget(
  target: Target = {},
  field: { addError(message: string): void },
  {
    apiHolder,
    formData = {},
  }: { readonly apiHolder: ApiHolder; readonly formData?: FormData },
): Promise<void> {
  const chosen = selectionOf(target);
  const api = apiHolder.get(argocdFleetApiRef);
  if (!chosen || !api) {
    return;
  }
  if (!isChosen(target)) {
    field.addError(
      'No clusters are chosen: choose cluster sets or cluster labels, or tick all clusters of the namespace',
    );
    return;
  }
  const { hub, namespace, selection } = chosen;
  try {
    const [preview, { items }] = await Promise.all([
      api.previewPlacement({ hub, namespace }, selection),
      api.listPlacementOptions(),
    ]);
    if (preview.matching === 0) {
      field.addError(
        preview.clusterSets.length === 0
          ? `None of these cluster sets is bound to the namespace ${namespace}, so no cluster can be selected`
          : `No cluster of ${preview.clusterSets.join(', ')} has these labels and claims, and no other taints than those that are tolerated`,
      );
    } else if (preview.unboundSets.length > 0) {
      field.addError(
        `Not bound to the namespace ${namespace}, or not on the hub: ${preview.unboundSets.join(', ')}`,
      );
    }
    const grant = items
      .find(options => options.hub === hub)
      ?.namespaces.find(({ name }) => name === namespace);
    if (grant) {
      refusals(grant, formData).forEach(message => field.addError(message));
    }
  } catch (error) {
    if (isRefusal(error)) {
      field.addError(serverMessageOf(error));
    }
  }
}

/** What the configuration does not allow of the other values, which the form has asked for before. */
function refusals(
  grant: PlacementOptions['namespaces'][number],
  { name, repoURL, destinationNamespace }: FormData,
): string[] {
  const found: string[] = [];
  if (
    typeof repoURL === 'string' &&
    !isInRepositories(grant.repositories, repoURL)
  ) {
    const allowed = grant.repositories.join(', ');
    found.push(
      `Applications in ${grant.name} may not come from the repository ${repoURL}. Go back and choose one of, or below: ${allowed}`,
    );
  }
  const namespace = destinationNamespace || name;
  if (
    typeof namespace === 'string' &&
    !matchesName(grant.destinationNamespaces, namespace)
  ) {
    const allowed = grant.destinationNamespaces.join(', ');
    found.push(
      `Applications in ${grant.name} may not be deployed to the namespace ${namespace}. Allowed are: ${allowed}`,
    );
  }
  return found;
}

/** Whether the API has answered that this target is wrong, and not that it cannot answer. */
export function isRefusal(error: unknown): error is Error {
  return (
    error instanceof Error &&
    (requestProblemOf(error) === 'notFound' ||
      (error as { statusCode?: number }).statusCode === 400)
  );
}
