import type { GuardedKind } from './guarded-kind.ts';

/** The account's security settings for its domains. */
export interface Security {
  /** Changes that wait for the approval of another principal. */
  readonly second_yes: readonly GuardedKind[];
  /** Whether new domains start with theft protection; null: the operator's setting. */
  readonly theft_protection: boolean | null;
}
