import type { TldRules } from '@namehold/epp';

/** Yearly fees in minor units of `currency`; `restore` is one fee per restore. */
export interface TldFees {
  readonly create: bigint;
  readonly renew: bigint;
  readonly transfer: bigint;
  readonly restore: bigint;
}

/** Days by the registry's business clock. Zero: this TLD does not have the period. */
export interface TldGraceDays {
  /** A delete within it removes the domain at once and refunds the create fee. */
  readonly add: number;
  readonly renew: number;
  readonly transfer: number;
  readonly autoRenew: number;
  /** After a delete: restore is possible. */
  readonly redemption: number;
  /** Restore request to restore report; zero: the request alone restores the domain. */
  readonly pendingRestore: number;
  readonly pendingDelete: number;
  /** Transfer request to automatic approval. */
  readonly pendingTransfer: number;
  /** Without automatic renewal: expired and on hold, renewable, before redemption begins. */
  readonly expiredHold: number;
}

/** Rules for a label beyond letters, digits and hyphens. */
export interface TldNameRules {
  readonly minLength: number;
  readonly maxLength: number;
  /** A-labels (`xn--`) are accepted. */
  readonly idn: boolean;
}

export interface PremiumName {
  /** `gold`, or `gem-*` for every label with that beginning. */
  readonly label: string;
  /** The class in the fee extension. */
  readonly class: string;
  readonly fees: TldFees;
}

export type AuthInfoSign = 'letter' | 'digit' | 'sign';

/** One TLD of the sandbox registry, with all its differences from the others. */
export interface SandboxTld {
  /** `com`, `co.id`: without a leading dot. */
  readonly tld: string;
  /** Models, contact types, name server numbers, periods, authInfo: the type of a registry profile of `@namehold/epp`. */
  readonly rules: TldRules;
  readonly currency: 'USD';
  readonly fees: TldFees;
  readonly graceDays: TldGraceDays;
  readonly autoRenew: boolean;
  /** Premium creates, renews, transfers and restores require the fee extension (2003 without). */
  readonly premium: readonly PremiumName[];
  readonly reserved: readonly string[];
  readonly name: TldNameRules;
  /** The extension of the TLD whose fields a create requires (2003 if missing, 2306 if invalid). */
  readonly extra?: string;
  /** Its registry forbids to hide the registrant. */
  readonly forbidsPrivacy?: true;
  /**
   * Documents are reviewed first: a create answers 1001, and the result comes by poll. Without a decision it is approved after
   * `reviewDays`; if required documents do not arrive, it is refused after `documentDays`.
   */
  readonly pendingCreate?: { readonly reviewDays: number; readonly documentDays: number };
  readonly maxDsRecords: number;
  /** Additional requirements of a create. */
  readonly registration?: {
    /** `claims`: labels that begin with `mark-` are claimed. `sunrise`: every create needs a signed mark. */
    readonly launch?: 'claims' | 'sunrise';
    /** RFC 8495: `TOKEN-<label>`. */
    readonly token?: true;
    readonly idnTables?: readonly string[];
  };
  /** A poll message announces that a restore waits for its report (rgp-poll). */
  readonly notifiesRestore?: true;
  /** The product that commands about its names and hosts must state (namestoreExt). */
  readonly product?: string;
  /** Character classes that an auth code must contain, besides its length. */
  readonly authInfoHas?: readonly AuthInfoSign[];
  /** Years that a transfer adds. Default: one. */
  readonly transferYears?: 0;
}
