import { type Reader, sql } from '@namehold/postgres';
import { type EntryPlace, isOpenLine, type PlacedLine } from './statement-line.sql.ts';

/** A line of a file with the payment it is for. */
export interface FoundLine {
  readonly expectedId: string;
  readonly eventId: string;
  readonly placed: PlacedLine;
}

/** Stored facts about a line, looked up for many lines at once. */
export interface LineFacts {
  /** This very line was credited. */
  readonly isCredited: boolean;
  /** Its id is known from a payment or another line. */
  readonly isIdKnown: boolean;
  /** Its expected payment has entries that are not linked to a line of this format. */
  readonly hasOtherEntries: boolean;
  /** Its expected payment has uncredited lines. */
  readonly hasOpenLines: boolean;
  /** Its expected payment has pending charge-backs. */
  readonly hasChargeBacks: boolean;
}

/** In the order of the lines. The work grows with the lines and the entries of their payments, not with their product. */
export async function factsOfLines(
  db: Reader,
  { resellerId, provider }: EntryPlace,
  lines: readonly FoundLine[],
): Promise<LineFacts[]> {
  const of = sql`l.reseller_id = ${resellerId} and l.provider = ${provider} and l.payment_id is not null`;
  const rows = await db.many<{
    is_credited: boolean;
    is_id_known: boolean;
    has_others: boolean;
    has_open: boolean;
    has_charge_backs: boolean;
  }>(sql`
    with line as (
      select expected_id, event_id, line_key, nth, own_id, columns_key, position from unnest(
        ${lines.map(({ expectedId }) => expectedId)}::text[], ${lines.map(({ eventId }) => eventId)}::text[], ${lines.map(({ placed }) => placed.key)}::text[],
        ${lines.map(({ placed }) => placed.nth)}::integer[], ${lines.map(({ placed }) => placed.ownId)}::text[],
        ${lines.map(({ placed }) => placed.columnsKey)}::text[])
      with ordinality as t (expected_id, event_id, line_key, nth, own_id, columns_key, position)
    ), format as materialized (
      select f.expected_id, f.columns_key,
        exists (select from payment p where p.expected_id = f.expected_id
          and not exists (select from statement_line l where l.payment_id = p.id and l.columns_key = f.columns_key)) as has_others,
        exists (select from statement_line where expected_id = f.expected_id and ${isOpenLine}) as has_open,
        exists (select from payment c join expected_payment e on e.reference = c.reference where e.id = f.expected_id and c.reseller_id = ${resellerId}
          and c.is_charge_back and c.expected_id is null and c.accepted_at is null) as has_charge_backs
      from (select distinct expected_id, columns_key from line) f
    )
    select exists (select from statement_line l where ${of} and l.line_key = line.line_key and l.nth = line.nth) as is_credited,
      exists (select from payment p where p.reseller_id = ${resellerId} and p.provider = ${provider} and p.event_id = line.event_id)
        or line.own_id is not null and exists (select from statement_line l where ${of} and l.own_id = line.own_id) as is_id_known,
      has_others, has_open, has_charge_backs
    from line join format using (expected_id, columns_key) order by position`);
  return rows.map((row) => ({
    isCredited: row.is_credited,
    isIdKnown: row.is_id_known,
    hasOtherEntries: row.has_others,
    hasOpenLines: row.has_open,
    hasChargeBacks: row.has_charge_backs,
  }));
}
