import type { Reader } from '@namehold/postgres';
import type { ExchangeRate } from './exchange.ts';
import type { PriceAction, Rule } from './price.ts';
import { type FactQuestion, type FactRow, selectFacts } from './pricing.sql.ts';

export interface Level {
  readonly resellerId: string;
  /** Null for the operator. */
  readonly sellerId: string | null;
  readonly currency: string;
}

/** The inputs of a price, read in one query. */
export interface PriceFacts {
  /** Buyer first, operator last. */
  readonly levels: readonly Level[];
  readonly prices: ReadonlyMap<string, bigint>;
  readonly rules: ReadonlyMap<string, readonly Rule[]>;
  /** By TLD, action and years; then by currency. */
  readonly costs: ReadonlyMap<string, ReadonlyMap<string, bigint>>;
  readonly tlds: readonly string[];
  /** By TLD: the currency in which its registry charges, if the operator has stated it. */
  readonly registryCurrencies: ReadonlyMap<string, string>;
  /** The operator's rates, by base and quote currency: `EUR USD`. */
  readonly rates: ReadonlyMap<string, ExchangeRate>;
}

export const priceKey = (owner: string, tld: string, action: PriceAction, years: number, currency: string) =>
  `${owner} ${tld} ${action} ${years} ${currency}`;
export const costKey = (tld: string, action: PriceAction, years: number) => `${tld} ${action} ${years}`;

export async function readFacts(db: Reader, question: FactQuestion): Promise<PriceFacts> {
  const rows = await selectFacts(db, question);
  const levels: Level[] = [];
  const prices = new Map<string, bigint>();
  const rules = new Map<string, Rule[]>();
  const costs = new Map<string, Map<string, bigint>>();
  const tlds = new Set<string>();
  const registryCurrencies = new Map<string, string>();
  const rates = new Map<string, ExchangeRate>();
  for (const row of rows) {
    if (row.source === 'level') {
      levels.push({ resellerId: row.reseller_id!, sellerId: row.seller_id, currency: row.currency! });
    } else if (row.source === 'price') {
      tlds.add(row.tld!);
      prices.set(priceKey(row.reseller_id!, row.tld!, row.action!, row.years!, row.currency!), BigInt(row.amount!));
    } else if (row.source === 'rule') {
      const of = rules.get(row.reseller_id!) ?? [];
      of.push(ruleOf(row));
      rules.set(row.reseller_id!, of);
    } else if (row.source === 'registry') {
      registryCurrencies.set(row.tld!, row.currency!);
    } else if (row.source === 'rate') {
      rates.set(`${row.kind!} ${row.currency!}`, {
        scaled: BigInt(row.amount!),
        marginBasisPoints: row.basis_points!,
      });
    } else {
      tlds.add(row.tld!);
      const key = costKey(row.tld!, row.action!, row.years!);
      const byCurrency = costs.get(key) ?? new Map<string, bigint>();
      byCurrency.set(row.currency!, BigInt(row.amount!));
      costs.set(key, byCurrency);
    }
  }
  return { levels, prices, rules, costs, tlds: [...tlds].sort(), registryCurrencies, rates };
}

function ruleOf(
  row: Pick<
    FactRow,
    'tld' | 'action' | 'kind' | 'basis_points' | 'amount' | 'currency' | 'rounding_step' | 'rounding_ending'
  >,
): Rule {
  const rounding =
    row.rounding_step === null ? null : { step: BigInt(row.rounding_step), ending: BigInt(row.rounding_ending ?? 0) };
  const scope = { tld: row.tld, action: row.action, rounding };
  return row.kind === 'percent'
    ? { ...scope, kind: 'percent', basisPoints: row.basis_points! }
    : { ...scope, kind: 'fixed', amount: BigInt(row.amount!), currency: row.currency! };
}
