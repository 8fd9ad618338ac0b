import { type Reader, sql, type Tx } from '@namehold/postgres';

export interface ExchangeRateRow {
  readonly base: string;
  readonly quote: string;
  /** Decimal text. */
  readonly rate: string;
  readonly margin_basis_points: number;
  readonly valid_from: Date;
}

export async function insertExchangeRate(tx: Tx, resellerId: string, row: ExchangeRateRow): Promise<void> {
  await tx.run(sql`
    insert into exchange_rate (reseller_id, base, quote, rate, margin_basis_points, valid_from)
    values (${resellerId}, ${row.base}, ${row.quote}, ${row.rate}::numeric, ${row.margin_basis_points}, ${row.valid_from})
    on conflict (reseller_id, base, quote, valid_from) do update set rate = excluded.rate, margin_basis_points = excluded.margin_basis_points`);
}

/** The margin of the rate in force at a time; 0 if there is none. */
export async function marginAt(tx: Tx, resellerId: string, base: string, quote: string, at: Date): Promise<number> {
  const row = await tx.maybe<{ margin_basis_points: number }>(sql`
    select margin_basis_points from exchange_rate
    where reseller_id = ${resellerId} and base = ${base} and quote = ${quote} and valid_from <= ${at}
    order by valid_from desc limit 1`);
  return row?.margin_basis_points ?? 0;
}

/** Rates in force at this time, and future ones. */
export async function listExchangeRates(db: Reader, resellerId: string, at: Date): Promise<ExchangeRateRow[]> {
  return db.many<ExchangeRateRow>(sql`
    select e.base, e.quote, trim_scale(e.rate)::text as rate, e.margin_basis_points, e.valid_from from exchange_rate e
    where e.reseller_id = ${resellerId} and (e.valid_from > ${at} or e.valid_from = (select max(n.valid_from) from exchange_rate n
      where n.reseller_id = e.reseller_id and n.base = e.base and n.quote = e.quote and n.valid_from <= ${at}))
    order by e.base, e.quote, e.valid_from`);
}
