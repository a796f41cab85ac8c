import { JsonObject, KubeObject } from './objects';

// Argo Rollouts' Rollout: the fields that the fleet reads or writes.

/** One step of a canary; exactly one of the two fields. */
export interface CanaryStep {
  setWeight?: number;
  /** A pause without a duration lasts until a promotion. */
  pause?: { duration?: string | number };
}

export interface RolloutCondition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastUpdateTime: string;
  lastTransitionTime: string;
}

export interface RolloutStatus {
  /** `Progressing`, `Paused`, `Healthy` or `Degraded` */
  phase?: string;
  message?: string;
  abort?: boolean;
  abortedAt?: string;
  promoteFull?: boolean;
  /** Set by the controller with `pauseConditions`. Without them, a user has ended the pause. */
  controllerPause?: boolean;
  pauseConditions?: { reason: string; startTime: string }[];
  currentStepIndex?: number;
  currentStepHash?: string;
  currentPodHash?: string;
  stableRS?: string;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  canary?: {
    weights?: {
      canary: { weight: number; podTemplateHash: string };
      stable: { weight: number; podTemplateHash: string };
    };
  };
  blueGreen?: { activeSelector?: string; previewSelector?: string };
  conditions?: RolloutCondition[];
}

/** `argoproj.io/v1alpha1` `Rollout`: the fields that the fleet simulates. */
export interface Rollout extends KubeObject {
  spec?: {
    replicas?: number;
    paused?: boolean;
    template?: JsonObject;
    selector?: JsonObject;
    strategy?: {
      canary?: { steps?: CanaryStep[] };
      blueGreen?: {
        activeService?: string;
        previewService?: string;
        autoPromotionEnabled?: boolean;
        autoPromotionSeconds?: number;
      };
    };
  };
  status?: RolloutStatus;
}
