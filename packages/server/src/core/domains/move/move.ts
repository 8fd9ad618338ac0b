/** A move to another reseller as one side sees it, without other data of the other side. */
export interface Move {
  /** The id of the operation, which belongs to the current reseller. */
  readonly id: string;
  readonly direction: 'in' | 'out';
  readonly domainName: string;
  /** The current reseller's id of the domain; for the receiving reseller the new id when the move is done, null until then. */
  readonly domainId: string | null;
  readonly fromResellerId: string;
  readonly toResellerId: string;
  readonly toCustomerId: string;
  readonly contacts: 'old' | 'default';
  readonly state: MoveState;
  /** Why it was refused. */
  readonly reason: string | null;
  readonly until: Date;
  /** End of the paid term. */
  readonly endDate: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** `asked`: another principal of the current reseller must approve first. `offered`: it waits for the receiving reseller. */
export const moveStates = [
  'asked',
  'offered',
  'under_way',
  'done',
  'declined',
  'lapsed',
  'refused',
  'cancelled',
] as const;
export type MoveState = (typeof moveStates)[number];

export const moveLimits = {
  /** Offers of one reseller that wait for an answer. */
  waiting: 500,
  /** Per receiving reseller that claims domains by auth code. */
  wrongCodesPerDay: 20,
  /** Per day and domain name, for all accounts below one top account together. */
  wrongCodesPerName: 20,
};
