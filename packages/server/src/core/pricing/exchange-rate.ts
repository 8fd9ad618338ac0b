import { isCurrency, readInstant } from '@namehold/base';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, Refusal } from '../errors.ts';
import { rateDigits } from './exchange.ts';
import { type ExchangeRateRow, insertExchangeRate, listExchangeRates, marginAt } from './exchange-rate.sql.ts';

interface WrittenRate {
  readonly base: string;
  readonly quote: string;
  /** Decimal text: one unit of base in units of quote. */
  readonly rate: string;
  /** Percent on top of the rate, decimal text such as "2.5". Default: unchanged, and 0 for a new pair. */
  readonly margin?: string | undefined;
  /** Default: now. */
  readonly validFrom?: string | undefined;
}

const exchangeRateLimits = { maxRate: 1_000_000, maxMarginPercent: 100 };

/**
 * Sets the price of one unit of a currency in another from a time on. Rates are dated and do not change afterwards: a quote keeps the
 * rate of its time.
 */
export async function setExchangeRate(ctx: AppContext, actor: Actor, written: WrittenRate): Promise<ExchangeRateRow> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  const now = ctx.clock.now();
  const read = readRate(written, now);
  const margin = marginOf(written.margin);
  return write(ctx, actor, async (tx) => {
    const margin_basis_points =
      margin ?? (await marginAt(tx, actor.resellerId, read.base, read.quote, read.valid_from));
    const row: ExchangeRateRow = { ...read, margin_basis_points };
    await insertExchangeRate(tx, actor.resellerId, row);
    await audit(ctx, tx, actor, {
      action: 'exchange_rate.set',
      objectType: 'exchange_rate',
      objectId: `${row.base}-${row.quote}`,
      after: row,
    });
    return row;
  });
}

export function readExchangeRates(ctx: AppContext, actor: Actor): Promise<ExchangeRateRow[]> {
  return listExchangeRates(ctx.db.as(actor.resellerId), actor.resellerId, ctx.clock.now());
}

function readRate(
  { base: from, quote: to, rate, validFrom }: WrittenRate,
  now: Date,
): Omit<ExchangeRateRow, 'margin_basis_points'> {
  const [base, quote] = [currencyOf('base', from), currencyOf('quote', to)];
  if (base === quote) throw badField('quote', 'Must differ from the base currency.');
  if (!/^\d{1,7}(\.\d{1,12})?$/.test(rate) || Number(rate) <= 0 || Number(rate) > exchangeRateLimits.maxRate)
    throw badField('rate', `Must be a decimal number above 0 with at most ${rateDigits} decimal places, such as 1.08.`);
  return { base, quote, rate, valid_from: startOf(validFrom, now) };
}

function currencyOf(field: string, text: string): string {
  const currency = text.trim().toUpperCase();
  if (!isCurrency(currency)) throw badField(field, `"${currency.slice(0, 10)}" is not an ISO 4217 currency code.`);
  return currency;
}

function marginOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, whole, fraction = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const basisPoints = whole === undefined ? Number.NaN : Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  if (!(basisPoints <= exchangeRateLimits.maxMarginPercent * 100))
    throw badField('margin', 'Must be a percentage from 0 to 100 with at most two decimal places, such as 2.5.');
  return basisPoints;
}

/** Never in the past: it would change quotes made with another rate. */
function startOf(text: string | undefined, now: Date): Date {
  if (text === undefined) return now;
  const at = readInstant(text.includes('T') ? text : `${text}T00:00:00Z`);
  if (!at) throw badField('valid_from', 'Must be a date such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z.');
  if (at < now) throw badField('valid_from', 'Must not be in the past.');
  return at;
}
