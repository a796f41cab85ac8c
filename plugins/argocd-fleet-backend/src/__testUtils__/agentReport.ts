import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
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

/** The status of a work whose Application is applied, Synced and Healthy. */
export function syncedStatus(work: ManifestWork): ManifestWork['status'] {
  const { metadata } = applicationManifest(work)!;
  const applied = {
    type: 'Applied',
    status: 'True' as const,
    reason: 'AppliedManifestComplete',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: work.metadata.generation,
  };
  const value = (of: string, string: string) => ({
    name: of,
    fieldValue: { type: 'String', string },
  });
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
          conditions: [applied],
          statusFeedback: {
            values: [
              value('healthStatus', 'Healthy'),
              value('syncStatus', 'Synced'),
            ],
          },
        },
      ],
    },
  };
}
