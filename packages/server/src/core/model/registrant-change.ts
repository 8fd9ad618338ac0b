/** Sides that have to confirm. If both have the same address, `prior` means both. */
export const sides = ['prior', 'new'] as const;
export type Side = (typeof sides)[number];

/** What the order states about the registrants' consent. */
export interface RegistrantChangeConsent {
  /**
   * Both registrants have agreed, and the reseller confirms for them (ICANN: designated agent). Undefined: the setting of the
   * installation.
   */
  readonly isAgent: boolean | undefined;
  /** The prior registrant wants no lock. */
  readonly isLockWaived: boolean;
}

/** A change of registrant as ordered; stored with the operation. */
export interface RegistrantChange {
  readonly path: 'agent' | 'confirmations';
  /** By the reseller's own statement; false: by the agreement of the installation with its registrants. */
  readonly isAgentDeclared: boolean;
  readonly isLockWaived: boolean;
  /** The contact that is the registrant until then. */
  readonly formerId: string;
  /** Keyed hashes of both registrants: a confirmation for one cannot be used for another. */
  readonly former: string;
  readonly present: string;
}
