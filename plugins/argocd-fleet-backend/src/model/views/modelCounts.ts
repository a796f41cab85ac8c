import type {
  DeliveryModel,
  ModelCount,
} from 'backstage-plugin-argocd-fleet-common';

/** How many Applications are of each model, the most frequent first. */
export function modelCounts(models: Iterable<DeliveryModel>): ModelCount[] {
  const counts = new Map<DeliveryModel, number>();
  for (const model of models) {
    counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  return Array.from(counts, ([model, applications]) => ({
    model,
    applications,
  })).sort(
    (a, b) => b.applications - a.applications || (a.model < b.model ? -1 : 1),
  );
}
