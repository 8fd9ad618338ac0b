import { type Reader, type Sql, sql, type Tx } from '@namehold/postgres';
import type { Slice } from '../ledger/verify.sql.ts';
import { isOpenLine } from '../payments/statement-line.sql.ts';
import type { FoundRow } from './difference.ts';

export async function nextLines(db: Reader, after: string, size: number): Promise<string | undefined> {
  const row = await db.one<{ last: string | null }>(sql`
    select max(id) as last from (select id from statement_line where id > ${after} order by id limit ${size}) s`);
  return row.last ?? undefined;
}

/** docs/guide/bank-transfers.md: a credited bank line is a payment of its amount, for the payment that it names. */
export async function linesAgainstPayments(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select 'bank_line_differs' as rule, 'bank line ' || l.id as subject,
      'the line of ' || l.amount || ' ' || l.currency || ' (minor units) for ' || l.expected_id || ' was credited as payment ' || p.id || ' of '
        || coalesce(p.amount::text, 'nothing') || ' ' || coalesce(p.currency, '') || ' for ' || coalesce(p.expected_id, 'nothing') as detail,
      p.transaction_id, l.amount, l.currency
    from statement_line l join payment p on p.id = l.payment_id
    where l.id > ${after} and l.id <= ${upTo}
      and (p.transaction_id is null or p.amount is distinct from l.amount or p.currency is distinct from l.currency or p.expected_id is distinct from l.expected_id
        or p.fate = 'charged_back')
    order by l.id`);
}

/** Payments that an import credited, and whose bank line is missing. */
export async function importedWithoutLine(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select 'payment_without_line' as rule, 'transaction ' || t.id as subject,
      'payment ' || p.id || ' was credited from a bank statement, and its imported line is missing' as detail, t.id as transaction_id, t.amount, t.currency
    from ledger_transaction t join payment p on p.transaction_id = t.id and p.from_line
    where t.id > ${after} and t.id <= ${upTo} and not exists (select from statement_line l where l.payment_id = p.id)
    order by t.id`);
}

/**
 * If a seller has more than twice this number, the oldest and the newest are reported: old rows must not hide new ones, nor one seller's
 * statements those of others.
 */
const isNamed = (perEnd: number) => sql`(n <= ${perEnd} or n > of - ${perEnd})`;
/** Reported with the last of the oldest. */
const others = (perEnd: number) => sql`
  case when n = ${perEnd} and of > 2 * ${perEnd}::integer then '; ' || of - 2 * ${perEnd}::integer || ' more of this reseller' else '' end`;

export async function uncreditedLines(db: Reader, before: Date, perEnd: number): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select 'bank_line_uncredited' as rule, 'bank line ' || id as subject,
      'a bank line for ' || expected_id || ' of reseller ' || reseller_id || ' was imported and not credited: ' || fate
        || case when entry_date is null then '' else ', dated ' || entry_date end
        || ${others(perEnd)} as detail, amount, case when amount is null then null else currency end as currency,
      fate = 'payer_deleted' as is_payer_deleted
    from (
      select id, expected_id, reseller_id, fate, entry_date, case when fate = 'wrong_currency' then null else amount end as amount, currency,
        row_number() over (partition by reseller_id order by id) as n, count(*) over (partition by reseller_id) as of
      from statement_line where ${isOpenLine} and imported_at < ${before}) l
    where ${isNamed(perEnd)} order by reseller_id, id`);
}

/** Notices of a provider that moved no money. An earlier release did not store which of them were charge-backs. */
const isUnsettled = sql`expected_id is null and accepted_at is null`;
const isOpenChargeBack = sql`is_charge_back and ${isUnsettled}`;
const isOpenPayment = sql`is_charge_back = false and ${isUnsettled}`;

/** Charge-backs of a provider whose payment never arrived. */
export const unmatchedChargeBacks = (db: Reader, before: Date, perEnd: number): Promise<FoundRow[]> =>
  unsettledNotices(db, before, perEnd, {
    rule: 'charge_back_unmatched',
    subject: 'charge-back ',
    event: ' took money back from reseller ',
    result: ', and no payment matches: ',
    where: isOpenChargeBack,
  });

/** Payments that a provider reported and that could not be credited. */
export const uncreditedPayments = (db: Reader, before: Date, perEnd: number): Promise<FoundRow[]> =>
  unsettledNotices(db, before, perEnd, {
    rule: 'payment_uncredited',
    subject: 'payment ',
    event: ' reported money for reseller ',
    result: ', and it was not credited: ',
    where: isOpenPayment,
  });

interface NoticeTexts {
  readonly rule: string;
  readonly subject: string;
  readonly event: string;
  readonly result: string;
  readonly where: Sql;
}

function unsettledNotices(
  db: Reader,
  before: Date,
  perEnd: number,
  { rule, subject, event, result, where }: NoticeTexts,
): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select ${rule}::text as rule, ${subject}::text || id as subject,
      provider || ${event}::text || reseller_id || ' (event ' || event_id || ', reference ' || coalesce(reference, 'none') || ')' || ${result}::text || fate
        || ${others(perEnd)} as detail, amount, case when amount is null then null else currency end as currency,
      fate = 'payer_deleted' as is_payer_deleted
    from (
      select id, provider, reseller_id, event_id, reference, fate, amount, currency,
        row_number() over (partition by reseller_id order by id) as n, count(*) over (partition by reseller_id) as of
      from payment where ${where} and received_at < ${before}) p
    where ${isNamed(perEnd)} order by reseller_id, id`);
}

/** False if it was credited, matched or accepted in the meantime. */
export async function acceptLine(tx: Tx, id: string, at: Date): Promise<boolean> {
  const changed = await tx.run(sql`
    update statement_line set accepted_at = ${at} where id = ${id} and ${isOpenLine}`);
  return changed === 1;
}

export async function acceptChargeBack(tx: Tx, id: string, at: Date): Promise<boolean> {
  const changed = await tx.run(sql`
    update payment set accepted_at = ${at} where id = ${id} and ${isOpenChargeBack}`);
  return changed === 1;
}

export async function acceptPayment(tx: Tx, id: string, at: Date): Promise<boolean> {
  const changed = await tx.run(sql`update payment set accepted_at = ${at} where id = ${id} and ${isOpenPayment}`);
  return changed === 1;
}
