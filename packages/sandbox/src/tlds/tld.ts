import type { TldRules } from '@namehold/epp';

/** Yearly fees in minor units of `currency`; `restore` is once a restore. */
export interface TldFees {
  readonly create: bigint;
  readonly renew: bigint;
  readonly transfer: bigint;
  readonly restore: bigint;
}

/** Days by the registry's business clock. Zero means that the period does not exist here. */
export interface TldGraceDays {
  /** Delete inside it removes at once and gives the create fee back. */
  readonly add: number;
  readonly renew: number;
  readonly transfer: number;
  readonly autoRenew: number;
  /** After a delete: restore is possible. */
  readonly redemption: number;
  /** Restore request to restore report; zero: the request alone brings the name back. */
  readonly pendingRestore: number;
  readonly pendingDelete: number;
  /** Transfer request to automatic approval. */
  readonly pendingTransfer: number;
  /** Where nothing is renewed automatically: expired and on hold, renew is possible, before redemption begins. */
  readonly expiredHold: number;
}

/** What a label must be like, beyond letters, digits and hyphens. */
export interface TldNameRules {
  readonly minLength: number;
  readonly maxLength: number;
  /** A-labels (`xn--`) are accepted. */
  readonly idn: boolean;
}

export interface PremiumName {
  /** `gold`, or `gem-*` for every label that begins so. */
  readonly label: string;
  /** The class that the fee extension shows. */
  readonly class: string;
  readonly fees: TldFees;
}

export type AuthInfoSign = 'letter' | 'digit' | 'sign';

/** One TLD of the sandbox registry: all that makes it differ from the others. */
export interface SandboxTld {
  /** `com`, `co.id`: without a leading dot. */
  readonly tld: string;
  /** Models, contact types, name server numbers, periods, authInfo: the same type as a registry profile of `@namehold/epp`. */
  readonly rules: TldRules;
  readonly currency: 'USD';
  readonly fees: TldFees;
  readonly graceDays: TldGraceDays;
  readonly autoRenew: boolean;
  /** The fee extension must ride on premium creates, renews, transfers and restores (2003 without). */
  readonly premium: readonly PremiumName[];
  readonly reserved: readonly string[];
  readonly name: TldNameRules;
  /** Further fields that a create must carry (2003 without, 2306 when wrong). */
  readonly extra?: 'us' | 'asia';
  /**
   * Documents are looked at first: create answers 1001, the end comes by poll. Left alone it is approved after `reviewDays`; where
   * documents are wanted that do not come, it is refused after `documentDays`.
   */
  readonly pendingCreate?: { readonly reviewDays: number; readonly documentDays: number };
  readonly maxDsRecords: number;
  /** What a create must bring beside the usual. */
  readonly registration?: {
    /** `claims`: labels that begin with `mark-` are claimed. `sunrise`: every create needs a signed mark. */
    readonly launch?: 'claims' | 'sunrise';
    /** RFC 8495: `TOKEN-<label>`. */
    readonly token?: true;
    readonly idnTables?: readonly string[];
  };
  /** A restore that waits for its report is told by a message (rgp-poll). */
  readonly tellsRestore?: true;
  /** The product that commands about its names and hosts must say (namestoreExt). */
  readonly product?: string;
  /** What an auth code must have one of, beside its length. */
  readonly authInfoHas?: readonly AuthInfoSign[];
  /** Years that a transfer adds; one, where nothing is said. */
  readonly transferYears?: 0;
}
