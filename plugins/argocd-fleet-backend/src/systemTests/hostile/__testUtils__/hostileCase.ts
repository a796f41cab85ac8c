import type { Stage } from './stage';

/** An attack, by an account with exactly the rights of the attacker. */
export interface HostileCase {
  readonly attacker: 'tenant' | 'agent' | 'portal user' | 'plugin' | 'anyone';
  /** The kind of attack. */
  readonly kind: string;
  readonly title: string;
  /**
   * Attempts the attack, and checks how far it gets. What the victim sees is compared before and after; what is left on
   * the hub is removed with `stage.afterwards`.
   */
  attack(stage: Stage): Promise<void>;
  /**
   * The hub's RBAC, validation, field management, finalizers or garbage collection decide what comes of it, or a name that
   * becomes a part of a path. Only these cases are attempted on a real hub too; in the long run, all.
   */
  readonly decidedByHub?: true;
  /** Nothing is left that a controller could see later: what it would have done is done when it is answered. */
  readonly immediate?: true;
  /** Afterwards, an administrator changes what the victim sees. */
  readonly writesVictims?: true;
  /** Checks what else must hold once every controller has seen the attack. */
  afterwards?(stage: Stage): Promise<void>;
}
