import {
  RELEASES,
  RELEASE_ANNOTATION,
  RELEASING_ANNOTATION,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestWork,
  type Release,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationManifest,
  isApplication,
  withApplicationConfigs,
  withoutArgoFinalizers,
} from '../delivery';
import { applicationCondition, isApplied } from '../feedback';
import type { MergePatch } from '../json';
import { deleteOptionBeforeRelease } from '../manifestwork';

/**
 * Milliseconds for which an order waits for a work that still delivers. One that was left behind must not be carried out
 * when somebody changes the label by mistake a year later.
 */
export const ORDER_MS = 3_600_000;

/** Condition of a work that hands its workload over: true once its Application has no finalizers on the cluster. */
export const HANDED_OVER_CONDITION = 'ApplicationHandedOver';

const NO_FINALIZERS = 'object.metadata.?finalizers.orValue([]).size() == 0';

/** What the annotation of an ApplicationSet or an Application asks for; undefined without it or for another value. */
export function releaseOf({
  metadata,
}: Pick<KubernetesObject, 'metadata'>): Release | undefined {
  const value = metadata.annotations?.[RELEASE_ANNOTATION];
  return RELEASES.find(each => each === value);
}

/** What is being done to release a work; undefined while nothing is. */
export function releasing(work: ManifestWork): Release | undefined {
  const value = work.metadata.annotations?.[RELEASING_ANNOTATION];
  return RELEASES.find(each => each === value);
}

/**
 * The patch after which the work can be deleted without a loss; undefined if the work is so already.
 *
 * `orphan`: the agent gives up what it owns. `hand-over`: the Application loses the finalizers by which its Argo CD would
 * delete what it deployed.
 */
export function releasePatch(
  work: ManifestWork,
  release: Exclude<Release, 'remove'>,
): MergePatch | undefined {
  if (releasing(work) === release) {
    return undefined;
  }
  return {
    metadata: { annotations: { [RELEASING_ANNOTATION]: release } },
    spec: release === 'orphan' ? orphaned(work) : handedOver(work),
  };
}

/** Whether the cluster has done what {@link releasePatch} asks for, so that the work may be deleted. */
export function isReleased(work: ManifestWork): boolean {
  switch (releasing(work)) {
    case 'orphan':
      return isApplied(work);
    case 'hand-over': {
      const condition = applicationCondition(work, HANDED_OVER_CONDITION);
      return (
        isApplied(work) &&
        condition?.status === 'True' &&
        condition.observedGeneration === work.metadata.generation
      );
    }
    default:
      return false;
  }
}

/** All of the work's objects stay, also a Namespace or an AppProject that another controller added. */
function orphaned(work: ManifestWork) {
  return {
    manifestConfigs: withApplicationConfigs(work, config => ({
      ...config,
      updateStrategy: { type: 'CreateOnly' },
    })),
    deleteOption: { propagationPolicy: 'Orphan' },
  };
}

function handedOver(work: ManifestWork) {
  const deleteOption = deleteOptionBeforeRelease(work);
  const application = applicationManifest(work);
  return {
    // An earlier order may have been to leave the Application there.
    ...(deleteOption !== undefined && { deleteOption }),
    workload: {
      manifests: (work.spec.workload?.manifests ?? []).map(manifest =>
        manifest === application ? withoutFinalizers(manifest) : manifest,
      ),
    },
    manifestConfigs: withApplicationConfigs(work, config => ({
      ...config,
      updateStrategy: {
        type: 'ServerSideApply',
        serverSideApply: { force: true },
      },
      conditionRules: [
        ...(config.conditionRules ?? []),
        {
          type: 'CEL',
          condition: HANDED_OVER_CONDITION,
          celExpressions: [NO_FINALIZERS],
        },
      ],
    })),
  };
}

function withoutFinalizers(manifest: KubernetesObject): KubernetesObject {
  if (!isApplication(manifest)) {
    return manifest;
  }
  const finalizers = withoutArgoFinalizers(manifest as ArgoApplication);
  const { finalizers: _, ...metadata } = manifest.metadata;
  return {
    ...manifest,
    metadata: { ...metadata, ...(finalizers.length > 0 && { finalizers }) },
  };
}
