import { formatMoney } from '@namehold/base';

/** The reconciliation sources, which must agree with each other. */
export const reconciliationSources = ['entries', 'operations', 'domains', 'registry', 'invoices'] as const;
export type ReconciliationSource = (typeof reconciliationSources)[number];

/**
 * The action that repairs a difference. `manual` has none: its text says what the operator must do. `accept` records a decision of the
 * operator and is never part of a bulk repair. Each action checks again under a lock before it changes anything.
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
  'manual',
] as const;
export type RepairAction = (typeof repairActions)[number];

export interface Repair {
  readonly action: RepairAction;
  readonly message: string;
}

/** One difference, with everything known about its subject. */
export interface Difference {
  readonly source: ReconciliationSource;
  readonly rule: string;
  /** `operation op_1`, `transaction 1001`, `account 12`, `domain 5001`, `name example.com`. The rule and the subject form the key. */
  readonly subject: string;
  readonly detail: string;
  readonly operation_id: string | null;
  readonly transaction_id: string | null;
  readonly domain_id: string | null;
  readonly registry_id: string | null;
  readonly name: string | null;
  /** The amount in question, if known. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly repair: Repair;
}

/** One row of a comparison query; amounts in minor units. */
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
  /** Its operation has been open for so long that the operation may be the cause. */
  readonly is_overdue?: boolean;
  /** The domain is neither here nor at the registry any more: only money is left. */
  readonly has_left?: boolean;
  /** The payer of a bank line is deleted: no credit is possible. */
  readonly is_payer_deleted?: boolean;
}

export function difference(source: ReconciliationSource, row: FoundRow, repair: Repair): Difference {
  const { amount, currency } = row;
  return {
    source: source,
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
    repair: repair,
  };
}

/** As earlier releases stored it in the facts of an alarm. */
interface FormerDifference extends Omit<Difference, 'source' | 'repair'> {
  readonly book: ReconciliationSource;
  readonly mend: { readonly act: RepairAction | 'by_hand'; readonly words: string };
}

/** The difference in the facts of an alarm; undefined: an alarm of another kind. */
export function differenceIn(facts: object): Difference | undefined {
  if ('repair' in facts) return facts as Difference;
  if (!('mend' in facts)) return undefined;
  const { book, mend, ...rest } = facts as FormerDifference;
  return {
    ...rest,
    source: book,
    repair: { action: mend.act === 'by_hand' ? 'manual' : mend.act, message: mend.words },
  };
}

/** Also the key of its alarm: one difference is one alarm, however often it is found. */
export const differenceKey = (d: Pick<Difference, 'source' | 'rule' | 'subject'>): string =>
  `books:${d.source}:${d.rule}:${d.subject}`;

/** One line for the operator with the operation, the domain and the money. */
export function sentenceOf(d: Difference): string {
  const about = [d.name, d.operation_id, d.amount === null ? null : `${d.amount} ${d.currency}`].filter(
    (each) => each !== null && !d.subject.includes(each),
  );
  return `${d.subject}${about.length > 0 ? ` (${about.join(', ')})` : ''}: ${d.detail}`;
}
