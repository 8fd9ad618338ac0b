export type LockAfter = 'registration' | 'transfer' | 'holder_change';
/** What a lock prevents: a transfer to another registrar, or a move to another reseller of the service. */
type LockAgainst = 'transfer' | 'move';

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

/** The event of a domain that a lock may follow; null: it did not happen, or its date is unknown. */
export interface LockedBy {
  readonly registeredAt: Date | null;
  readonly transferredAt: Date | null;
  readonly registrantChangedAt: Date | null;
}

export const lockTexts: Readonly<Record<LockAfter, string>> = {
  registration: 'its registration',
  transfer: 'its transfer to this registrar',
  holder_change: 'the change of its registrant',
};
