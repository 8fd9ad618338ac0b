import { formatMoney } from '@namehold/base';

/** The books that say the same thing, each in its own way. */
export const reconciliationSources = ['entries', 'operations', 'domains', 'registry', 'invoices'] as const;
export type ReconciliationSource = (typeof reconciliationSources)[number];

/**
 * What would put a difference right. `by_hand` has no act of ours: the words of the rule say what a person does.
 * `accept` records what a person has decided, never as one of many. Each act looks again under a lock before it changes anything.
 */
export const repairActions = [
  'capture',
  'release',
  'refund',
  'ask_again',
  'reopen',
  'reconcile',
  'adopt',
  'book',
  'accept',
  'undelete',
  'by_hand',
] as const;
export type RepairAction = (typeof repairActions)[number];

export interface Repair {
  readonly act: RepairAction;
  readonly words: string;
}

/** One disagreement, with all that is known of whom and what it is about. */
export interface Difference {
  readonly book: ReconciliationSource;
  readonly rule: string;
  /** `operation op_1`, `transaction 1001`, `account 12`, `domain 5001`, `name example.com`: with the rule it is the key. */
  readonly subject: string;
  readonly detail: string;
  readonly operation_id: string | null;
  readonly transaction_id: string | null;
  readonly domain_id: string | null;
  readonly registry_id: string | null;
  readonly name: string | null;
  /** The money in question, where there is some. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly mend: Repair;
}

/** What a statement answers for one difference; amounts in minor units. */
export interface FoundRow {
  readonly rule: string;
  readonly subject: string;
  readonly detail: string;
  readonly operation_id?: string | null;
  readonly transaction_id?: string | null;
  readonly domain_id?: string | null;
  readonly registry_id?: string | null;
  readonly name?: string | null;
  readonly amount?: string | null;
  readonly currency?: string | null;
  /** Its operation has been open for so long that the difference may be the operation's. */
  readonly is_overdue?: boolean;
  /** It is neither here nor there any more: what is left is money. */
  readonly has_left?: boolean;
  /** The payer of a bank line is deleted: no credit is possible. */
  readonly is_payer_deleted?: boolean;
}

export function difference(book: ReconciliationSource, row: FoundRow, mend: Repair): Difference {
  const { amount, currency } = row;
  return {
    book,
    rule: row.rule,
    subject: row.subject,
    detail: row.detail,
    operation_id: row.operation_id ?? null,
    transaction_id: row.transaction_id ?? null,
    domain_id: row.domain_id ?? null,
    registry_id: row.registry_id ?? null,
    name: row.name ?? null,
    amount: amount != null && currency != null ? formatMoney({ amount: BigInt(amount), currency }) : null,
    currency: amount != null ? (currency ?? null) : null,
    mend,
  };
}

/** Also the key of its alarm: one difference is one alarm, however often it is found. */
export const differenceKey = (d: Pick<Difference, 'book' | 'rule' | 'subject'>): string =>
  `books:${d.book}:${d.rule}:${d.subject}`;

/** For people: one line with the operation, the name and the money. */
export function sentenceOf(d: Difference): string {
  const about = [d.name, d.operation_id, d.amount === null ? null : `${d.amount} ${d.currency}`].filter(
    (each) => each !== null && !d.subject.includes(each),
  );
  return `${d.subject}${about.length > 0 ? ` (${about.join(', ')})` : ''}: ${d.detail}`;
}
