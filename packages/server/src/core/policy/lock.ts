export type LockAfter = 'registration' | 'transfer' | 'holder_change';
/** What a lock keeps a name from: going to another registrar, or to another reseller of the house. */
export type LockAgainst = 'transfer' | 'move';

export interface LockRule {
  readonly after: LockAfter;
  readonly at: Date;
  readonly against: LockAgainst;
  readonly hours: number;
}

export interface TransferLock {
  readonly after: LockAfter;
  readonly against: LockAgainst;
  readonly since: Date;
  readonly until: Date;
}

/** What happened to a name that a lock may follow; null: it did not, or nobody says when. */
export interface LockedBy {
  readonly registeredAt: Date | null;
  readonly transferredAt: Date | null;
  readonly registrantChangedAt: Date | null;
}

export const lockWords: Readonly<Record<LockAfter, string>> = {
  registration: 'its registration',
  transfer: 'its transfer to this registrar',
  holder_change: 'the change of its holder',
};
