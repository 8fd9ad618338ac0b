/** A move to another reseller as one of its two sides sees it: nothing of the other's but what the move is about. */
export interface Move {
  /** That of the operation, which is the giver's. */
  readonly id: string;
  readonly direction: 'in' | 'out';
  readonly domainName: string;
  /** The giver's own, or the taker's when it is done; null until then. */
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

/** `approvalRequest`: another hand of the giver has to say yes first. `offered`: it waits for the taker. */
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
  /** Of one reseller that takes names over by their codes. */
  wrongCodesPerDay: 20,
  /** Within a day, at one domain name, by all accounts below one top account together. */
  wrongCodesPerName: 20,
};
