import {
  FROZEN_ANNOTATION,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { isReadOnlyWork, withApplicationConfigs } from '../delivery';
import type { MergePatch } from '../json';

/** Whether propagation froze the work, because its Application is no longer pull-model. */
export function isFrozenByUs(work: ManifestWork): boolean {
  return work.metadata.annotations?.[FROZEN_ANNOTATION] !== undefined;
}

/** Whether somebody else froze the work: RHACM does so when its propagation is switched off. */
export function isFrozenByOthers(work: ManifestWork): boolean {
  return isReadOnlyWork(work) && !isFrozenByUs(work);
}

/**
 * The patch that freezes a work: its agent keeps what it applied and reports about it, but neither changes it nor makes
 * it again.
 * @param since - when its Application stopped being pull-model: RFC 3339
 */
export function freezePatch(work: ManifestWork, since: string): MergePatch {
  return {
    metadata: { annotations: { [FROZEN_ANNOTATION]: since } },
    spec: {
      manifestConfigs: withApplicationConfigs(work, config => ({
        ...config,
        updateStrategy: { type: 'ReadOnly' },
      })),
    },
  };
}
