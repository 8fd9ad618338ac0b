import type { GuardedKind } from '../approvals/guarded-kind.ts';

/** What an account has chosen for the safety of its names. */
export interface Security {
  /** Changes that wait until another hand has said yes. */
  readonly second_yes: readonly GuardedKind[];
  /** Whether new names start with theft protection; null: as the operator has set it. */
  readonly theft_protection: boolean | null;
}
