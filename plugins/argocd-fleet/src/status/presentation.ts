import type {
  DeliveryStep,
  HealthStatus,
  OperationPhase,
  OverallState,
  Severity,
  SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import type { Tone } from './palette';

/** Shapes that can be distinguished without their colour. */
export type Shape =
  | 'check'
  | 'triangle'
  | 'arc'
  | 'dashed'
  | 'question'
  | 'pause'
  | 'barred'
  | 'ring'
  | 'notEqual';

export interface Presentation {
  readonly shape: Shape;
  readonly tone: Tone;
}

/** Shape and colour of how far an Application, or the worst one of a cluster, is. */
export const STATE_PRESENTATION: Readonly<Record<OverallState, Presentation>> =
  {
    ok: { shape: 'check', tone: 'good' },
    running: { shape: 'arc', tone: 'busy' },
    paused: { shape: 'pause', tone: 'paused' },
    blocked: { shape: 'barred', tone: 'warn' },
    inTrouble: { shape: 'triangle', tone: 'bad' },
  };

/** Shape and colour of each health status. */
export const HEALTH_PRESENTATION: Readonly<Record<HealthStatus, Presentation>> =
  {
    Healthy: { shape: 'check', tone: 'good' },
    Progressing: { shape: 'arc', tone: 'busy' },
    Degraded: { shape: 'triangle', tone: 'bad' },
    Suspended: { shape: 'pause', tone: 'paused' },
    Missing: { shape: 'dashed', tone: 'warn' },
    Unknown: { shape: 'question', tone: 'unknown' },
  };

/** Shape and colour of each sync status. With an unknown one, nothing is deployed any more: that is trouble. */
export const SYNC_PRESENTATION: Readonly<Record<SyncStatus, Presentation>> = {
  Synced: { shape: 'check', tone: 'good' },
  OutOfSync: { shape: 'notEqual', tone: 'warn' },
  Unknown: { shape: 'question', tone: 'bad' },
};

/** What is only old: reported before the hub wanted something else. */
export const OLD_PRESENTATION: Presentation = {
  shape: 'dashed',
  tone: 'unknown',
};

/** Shape and colour of each operation phase. */
export const PHASE_PRESENTATION: Readonly<
  Record<OperationPhase, Presentation>
> = {
  Running: { shape: 'arc', tone: 'busy' },
  Succeeded: { shape: 'check', tone: 'good' },
  Failed: { shape: 'triangle', tone: 'bad' },
  Error: { shape: 'triangle', tone: 'bad' },
  Terminating: { shape: 'arc', tone: 'warn' },
};

/** Shape and colour of each state of a delivery step. */
export const STEP_PRESENTATION: Readonly<
  Record<DeliveryStep['state'], Presentation>
> = {
  done: { shape: 'check', tone: 'good' },
  active: { shape: 'arc', tone: 'busy' },
  paused: STATE_PRESENTATION.paused,
  blocked: STATE_PRESENTATION.blocked,
  failed: { shape: 'triangle', tone: 'bad' },
  waiting: { shape: 'ring', tone: 'unknown' },
};

/** Shape and colour of each severity of a finding. */
export const SEVERITY_PRESENTATION: Readonly<Record<Severity, Presentation>> = {
  error: { shape: 'triangle', tone: 'bad' },
  warning: { shape: 'triangle', tone: 'warn' },
  info: { shape: 'ring', tone: 'busy' },
};
