import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Audience, PriceAction, Rule } from './price.ts';

export interface FactRow {
  readonly source: 'level' | 'price' | 'rule' | 'cost' | 'registry' | 'rate';
  readonly reseller_id: string | null;
  readonly seller_id: string | null;
  readonly tld: string | null;
  readonly action: PriceAction | null;
  readonly years: number | null;
  readonly currency: string | null;
  /** Of an exchange rate: its base currency. */
  readonly kind: 'fixed' | 'percent' | (string & {}) | null;
  readonly basis_points: number | null;
  readonly amount: string | null;
  readonly rounding_step: string | null;
  readonly rounding_ending: string | null;
}

export interface FactQuestion {
  readonly resellerId: string;
  readonly at: Date;
  /** Time of the exchange rates, for an order with a quote. Default: `at`. */
  readonly ratesAt?: Date | undefined;
  /** The registry of an existing domain. Default: the one to which the route of the TLD leads. */
  readonly registryId?: string | undefined;
  /** Null: all of them, for a list. */
  readonly tld: string | null;
  readonly action: PriceAction | null;
  /** Includes the reseller's own selling prices. */
  readonly ownAudience: Audience | null;
}

export async function selectFacts(db: Reader, q: FactQuestion): Promise<FactRow[]> {
  return db.many<FactRow>(sql`
    select source, reseller_id, seller_id, tld, action, years, currency, kind, basis_points, amount, rounding_step, rounding_ending
    from priced_facts(${q.resellerId}, ${q.at}, ${q.tld}, ${q.action}, ${q.ownAudience}, ${q.ratesAt ?? q.at}, ${q.registryId ?? null})`);
}

/** One line of a price list or of the operator's costs. A null amount ends the present price. */
export interface PriceLine {
  readonly tld: string;
  readonly action: PriceAction;
  readonly years: number;
  readonly currency: string;
  readonly amount: bigint | null;
  readonly validFrom: Date;
  readonly validTo: Date | null;
  /** A cost at an alternative registry of the TLD. Default: at its route. */
  readonly alternative?: string | undefined;
}

const lineColumns = (lines: readonly PriceLine[]) => sql`
  unnest(${lines.map((line) => line.tld)}::text[], ${lines.map((line) => line.action)}::text[], ${lines.map((line) => line.years)}::integer[],
         ${lines.map((line) => line.currency)}::text[], ${lines.map((line) => line.amount)}::bigint[],
         ${lines.map((line) => line.validFrom)}::timestamptz[], ${lines.map((line) => line.validTo)}::timestamptz[],
         ${lines.map((line) => line.alternative ?? null)}::text[])
    as l (tld, action, years, currency, amount, valid_from, valid_to, alternative)`;

export async function upsertPrices(
  tx: Tx,
  ownerId: string,
  audience: Audience,
  lines: readonly PriceLine[],
): Promise<void> {
  await tx.run(sql`
    update price p set valid_to = l.valid_from from ${lineColumns(lines)}
    where l.amount is null and p.owner_reseller_id = ${ownerId} and p.audience = ${audience} and p.tld = l.tld and p.action = l.action
      and p.years = l.years and p.currency = l.currency and p.valid_from < l.valid_from and (p.valid_to is null or p.valid_to > l.valid_from)`);
  await tx.run(sql`
    insert into price (owner_reseller_id, audience, tld, action, years, currency, amount, valid_from, valid_to)
    select ${ownerId}, ${audience}, l.tld, l.action, l.years, l.currency, l.amount, l.valid_from, l.valid_to from ${lineColumns(lines)}
    where l.amount is not null
    on conflict (owner_reseller_id, audience, tld, action, years, currency, valid_from)
    do update set amount = excluded.amount, valid_to = excluded.valid_to`);
}

/** The routes must not change meanwhile (`lockRoutes`). */
export async function upsertCosts(tx: Tx, lines: readonly PriceLine[]): Promise<void> {
  const ofAlternatives = lines.filter(({ alternative }) => alternative !== undefined);
  if (ofAlternatives.length > 0) await upsertAlternativeCosts(tx, ofAlternatives);
  const ofRoutes = lines.filter(({ alternative }) => alternative === undefined);
  if (ofRoutes.length > 0) await upsertRouteCosts(tx, ofRoutes);
}

async function upsertAlternativeCosts(tx: Tx, lines: readonly PriceLine[]): Promise<void> {
  await tx.run(sql`
    update tld_alternative_cost c set valid_to = l.valid_from from ${lineColumns(lines)}
    where l.amount is null and c.registry_id = l.alternative and c.tld = l.tld and c.action = l.action and c.years = l.years
      and c.currency = l.currency and c.valid_from < l.valid_from and (c.valid_to is null or c.valid_to > l.valid_from)`);
  await tx.run(sql`
    insert into tld_alternative_cost (registry_id, tld, action, years, currency, amount, valid_from, valid_to)
    select l.alternative, l.tld, l.action, l.years, l.currency, l.amount, l.valid_from, l.valid_to from ${lineColumns(lines)}
    where l.amount is not null
    on conflict (tld, registry_id, action, years, currency, valid_from)
    do update set amount = excluded.amount, valid_to = excluded.valid_to`);
}

async function upsertRouteCosts(tx: Tx, lines: readonly PriceLine[]): Promise<void> {
  await tx.run(sql`
    update registry_cost c set valid_to = l.valid_from from ${lineColumns(lines)}
    where l.amount is null and c.tld = l.tld and c.action = l.action and c.years = l.years and c.currency = l.currency
      and c.valid_from < l.valid_from and (c.valid_to is null or c.valid_to > l.valid_from)`);
  await tx.run(sql`
    insert into registry_cost (tld, action, years, currency, amount, valid_from, valid_to)
    select l.tld, l.action, l.years, l.currency, l.amount, l.valid_from, l.valid_to from ${lineColumns(lines)}
    where l.amount is not null
    on conflict (tld, action, years, currency, valid_from) do update set amount = excluded.amount, valid_to = excluded.valid_to`);
}

/** The whole set of one audience from `at` on; earlier rules end then. */
export async function replaceRules(
  tx: Tx,
  ownerId: string,
  audience: Audience,
  rules: readonly Rule[],
  at: Date,
): Promise<void> {
  await tx.run(sql`
    update price_rule set valid_to = greatest(valid_from, ${at}::timestamptz)
    where owner_reseller_id = ${ownerId} and audience = ${audience} and (valid_to is null or valid_to > ${at})`);
  for (const rule of rules) {
    await tx.run(sql`
      insert into price_rule (owner_reseller_id, audience, tld, action, kind, basis_points, amount, currency, rounding_step, rounding_ending, valid_from)
      values (${ownerId}, ${audience}, ${rule.tld}, ${rule.action}, ${rule.kind}, ${rule.kind === 'percent' ? rule.basisPoints : null},
              ${rule.kind === 'fixed' ? rule.amount : null}, ${rule.kind === 'fixed' ? rule.currency : null},
              ${rule.rounding?.step ?? null}, ${rule.rounding?.ending ?? 0n}, ${at})`);
  }
}

export interface RuleRow {
  readonly audience: Audience;
  readonly tld: string | null;
  readonly action: PriceAction | null;
  readonly kind: 'fixed' | 'percent';
  readonly basis_points: number | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly rounding_step: string | null;
  readonly rounding_ending: string;
}

export async function selectRules(db: Reader, ownerId: string, at: Date): Promise<RuleRow[]> {
  return db.many<RuleRow>(sql`
    select audience, tld, action, kind, basis_points, amount, currency, rounding_step, rounding_ending from price_rule
    where owner_reseller_id = ${ownerId} and valid_from <= ${at} and (valid_to is null or valid_to > ${at})
    order by audience, tld nulls first, action nulls first, currency nulls first, id`);
}

export async function sellingCurrencyOf(db: Reader, resellerId: string): Promise<string> {
  const row = await db.one<{ selling_currency: string }>(
    sql`select selling_currency from reseller where id = ${resellerId}`,
  );
  return row.selling_currency;
}
