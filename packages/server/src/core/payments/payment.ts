/** An expected payment: money of a customer or of a direct child, by a reference that the payer writes down. */
export interface ExpectedPayment {
  readonly id: string;
  /** The payee. */
  readonly reseller_id: string;
  /** The payer: one of both. */
  readonly customer_id: string | null;
  readonly payer_id: string | null;
  readonly provider: string;
  readonly reference: string;
  readonly amount: bigint;
  readonly received: bigint;
  /** The part that the provider took back. */
  readonly charged_back: bigint;
  readonly currency: string;
  readonly description: string;
  /** Bills it pays on arrival; none: it is a deposit. */
  readonly bill_ids: readonly string[];
  readonly state: 'open' | 'paid' | 'cancelled';
  readonly settlement: 'due' | 'done' | 'refused' | null;
  readonly settlement_reason: string | null;
  readonly created_at: Date;
  readonly paid_at: Date | null;
}

export const paymentStates = ['open', 'paid', 'cancelled'] as const;

/**
 * The outcome of reported money. The first four credit the payer's balance: as expected, less, more, or after the payment was paid or
 * cancelled. A charge-back debits it; one that arrived before its payment is pending. The others moved nothing.
 */
export const paymentResults = [
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
export type PaymentResult = (typeof paymentResults)[number];

/** One report of received money. */
export interface Payment {
  readonly id: string;
  readonly reseller_id: string;
  readonly provider: string;
  readonly event_id: string;
  readonly expected_id: string | null;
  readonly fate: PaymentResult;
  readonly reference: string | null;
  readonly amount: bigint | null;
  readonly currency: string | null;
  readonly transaction_id: string | null;
  readonly received_at: Date;
  /** Normalised; in rows of earlier releases as the bank wrote it. */
  readonly entry_date: string | null;
  /** Credited from a stored statement line. */
  readonly from_line: boolean;
  /** Null: from an earlier release, which did not store it. */
  readonly is_charge_back: boolean | null;
  /** When an operator decided that a charge-back without a payment needs no debit. */
  readonly accepted_at: Date | null;
}

export const paymentLimits = {
  detailsLength: 2_000,
  /** Digits of an amount before the decimal point. */
  wholeDigits: 12,
  eventIdLength: 200,
  /** Of a bank statement. */
  csvLength: 1_000_000,
  csvLines: 2_000,
  csvColumns: 100,
  /** Statement lines received in one transaction. */
  linesPerTransaction: 25,
  /** An import starts no further lines after this time, so that it answers before the timeouts of clients and proxies. */
  importMs: 20_000,
  /** Uncredited lines of a seller kept for reconciliation; the import only reports any more. */
  uncreditedLines: 1_000,
  /** Payments of one expected payment that a line is compared with if no line of the same format is equal. */
  comparedEntries: 1_000,
  /** Maximum delay of a bank line after the manual confirmation it matches: a transfer takes days, and a bank uses its own date. */
  confirmedAheadDays: 10,
  /** Maximum bytes of a provider's notice, and of events in one. */
  noticeBytes: 65_536,
  eventsPerNotice: 50,
  /** Pending charge-backs that are matched when money of their payment arrives. */
  chargeBacksPerPayment: 100,
  /** Bills paid in one run of the job. */
  settledPerRun: 200,
};
