import type { Side } from '../registrant-change/registrant-change.ts';
import type { GuardedKind } from './guarded-kind.ts';

/** What somebody must say yes to before it is carried out, and what became of it. Shown to the reseller: no secrets. */
export interface Approval {
  /** `security`: the account's own choice of what needs a second yes. */
  readonly change: GuardedKind | 'security' | 'move' | 'holder';
  readonly wanted: Readonly<Record<string, unknown>>;
  /** Of which the one who answers needs one: those that the call itself asks for. */
  readonly scopes: readonly string[];
  readonly asked_by: string;
  readonly until: string;
  /** Whose yes it waits for: by default another hand of the account. A move goes to the taker when that is there. */
  readonly awaits?: 'taker' | 'holders';
  /** A change of the holder: who has to confirm, and when each did. */
  readonly sides?: Readonly<Partial<Record<Side, string | null>>>;
  /** No lock follows: as it was ordered, until the prior holder has chosen. */
  readonly lock_opt_out?: boolean;
  readonly answer?: Answer;
  /** The key; nobody where it lapsed. */
  readonly answered_by?: string | null;
  readonly answered_at?: string;
}

export type Answer = 'given' | 'declined' | 'lapsed';

export const approvalChoices = ['approve', 'decline'] as const;

export const approvalLimits = {
  /** Of one hand on one name, or for the account's own settings: who asks over and over is told to wait for an answer. */
  waiting: 20,
  /** A code that was made with a second yes is shown once, within this time. */
  codeShownMs: 3_600_000,
  expiredPerRun: 200,
};
