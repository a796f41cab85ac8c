import type {
  Condition,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationManifest } from '../model/delivery/workManifests';
import type { TestHub } from './hubFixture';

/** Reports as a cluster's agent that it has applied a work, and that its Argo CD has synced the Application. */
export async function reportSynced(
  testHub: TestHub,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): Promise<void> {
  const work = await testHub.admin.get('works', { namespace, name });
  await testHub.patchStatus('works', { namespace, name }, syncedStatus(work!));
}

/**
 * The status of a work whose Application is applied, Synced and Healthy.
 * @param conditions - types of the conditions of the Application that are true, besides that it is applied
 */
export function syncedStatus(
  work: ManifestWork,
  conditions: readonly string[] = [],
): ManifestWork['status'] {
  return appliedStatus(
    work,
    { healthStatus: 'Healthy', syncStatus: 'Synced' },
    conditions.map(type => ({ ...appliedCondition(work), type })),
  );
}

function appliedCondition({ metadata }: ManifestWork) {
  return {
    type: 'Applied',
    status: 'True',
    reason: 'AppliedManifestComplete',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: metadata.generation,
  } as const;
}

/**
 * The status of a work whose Application is applied.
 * @param feedback - values by their names
 * @param conditions - of the Application, besides that it is applied
 */
export function appliedStatus(
  work: ManifestWork,
  feedback: Readonly<Record<string, string>>,
  conditions: readonly Condition[] = [],
): ManifestWork['status'] {
  const { metadata } = applicationManifest(work)!;
  const applied = appliedCondition(work);
  return {
    conditions: [applied],
    resourceStatus: {
      manifests: [
        {
          resourceMeta: {
            ordinal: 0,
            group: 'argoproj.io',
            version: 'v1alpha1',
            kind: 'Application',
            resource: 'applications',
            namespace: metadata.namespace,
            name: metadata.name,
          },
          conditions: [applied, ...conditions],
          statusFeedback: {
            values: Object.entries(feedback).map(([name, string]) => ({
              name,
              fieldValue: { type: 'String', string },
            })),
          },
        },
      ],
    },
  };
}
