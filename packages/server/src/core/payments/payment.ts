/** What a seller waits for: money of a customer or of a direct child, by a reference that the payer writes down. */
export interface ExpectedPayment {
  readonly id: string;
  /** Who is paid. */
  readonly reseller_id: string;
  /** Who pays: one of both. */
  readonly customer_id: string | null;
  readonly payer_id: string | null;
  readonly provider: string;
  readonly reference: string;
  readonly amount: bigint;
  readonly received: bigint;
  /** Of it, what the provider took back again. */
  readonly charged_back: bigint;
  readonly currency: string;
  readonly description: string;
  /** What it pays as soon as it is there; none: it is a deposit. */
  readonly bill_ids: readonly string[];
  readonly state: 'open' | 'paid' | 'cancelled';
  readonly settlement: 'due' | 'done' | 'refused' | null;
  readonly settlement_reason: string | null;
  readonly created_at: Date;
  readonly paid_at: Date | null;
}

export const paymentStates = ['open', 'paid', 'cancelled'] as const;

/**
 * What became of money that was told of. The first four are on the payer's balance: as asked for, less, more, or after it was paid or cancelled.
 * What was charged back came off it; a charge-back that arrived before its payment is pending. The others moved nothing.
 */
export const fates = [
  'matched',
  'underpaid',
  'overpaid',
  'late',
  'charged_back',
  'charge_back_pending',
  'already_seen',
  'already_confirmed',
  'id_reused',
  'unknown_reference',
  'wrong_currency',
  'wrong_amount',
  'wrong_date',
  'payer_deleted',
  'outgoing',
  'not_processed',
] as const;
export type Fate = (typeof fates)[number];

/** One telling of money that came in. */
export interface Payment {
  readonly id: string;
  readonly reseller_id: string;
  readonly provider: string;
  readonly event_id: string;
  readonly expected_id: string | null;
  readonly fate: Fate;
  readonly reference: string | null;
  readonly amount: bigint | null;
  readonly currency: string | null;
  readonly transaction_id: string | null;
  readonly received_at: Date;
  /** Normalised; in rows of earlier releases as the bank wrote it. */
  readonly entry_date: string | null;
  /** Credited from a line of a statement that is kept. */
  readonly from_line: boolean;
  /** Null: of an earlier release, which did not keep it. */
  readonly is_charge_back: boolean | null;
  /** When an operator decided that a charge-back without a payment needs no debit. */
  readonly accepted_at: Date | null;
}

export const paymentLimits = {
  detailsLength: 2_000,
  /** Figures of an amount before its point. */
  wholeDigits: 12,
  eventIdLength: 200,
  /** Of a bank statement. */
  csvLength: 1_000_000,
  csvLines: 2_000,
  csvColumns: 100,
  /** Lines of a statement that are received in one transaction. */
  linesPerTransaction: 25,
  /** An import begins no further lines after this time, so that its answer does not outlive the patience of clients and proxies. */
  importMs: 20_000,
  /** Lines of a seller that were not credited and are kept for reconciliation; more are only reported by the import. */
  uncreditedLines: 1_000,
  /** Payments of one expected payment that a line is compared with, where no line of the same format is equal. */
  comparedEntries: 1_000,
  /** A bank line may be dated so much later than the confirmation by hand that it is taken for: a transfer takes days, and a bank shows it under its own date. */
  confirmedAheadDays: 10,
  /** Octets of a provider's notice, and what one may tell of. */
  noticeBytes: 65_536,
  eventsPerNotice: 50,
  /** Pending charge-backs that are matched when money of their payment arrives. */
  chargeBacksPerPayment: 100,
  /** Bills that are paid in one run of the clockwork. */
  settledPerRun: 200,
};
