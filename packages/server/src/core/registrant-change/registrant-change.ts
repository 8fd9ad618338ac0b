/** Who has to confirm. Where both are reached at one address, `prior` stands for both. */
export const sides = ['prior', 'new'] as const;
export type Side = (typeof sides)[number];

/** What whoever orders a change says of the holders' will. */
export interface RegistrantChangeConsent {
  /** That both have agreed, and the reseller says yes for them (ICANN: designated agent). Undefined: as the installation has set it. */
  readonly isAgent: boolean | undefined;
  /** That the prior holder wants no lock. */
  readonly isLockWaived: boolean;
}

/** A change of the holder as it was ordered; stored with it. */
export interface RegistrantChange {
  readonly path: 'agent' | 'confirmations';
  /** By its own word; false: by what the installation has agreed with its holders. */
  readonly isAgentSaid: boolean;
  readonly isLockWaived: boolean;
  /** The contact that holds it until then. */
  readonly formerId: string;
  /** Keyed hashes of who they are: what was confirmed of one is not carried out for another. */
  readonly former: string;
  readonly present: string;
}
