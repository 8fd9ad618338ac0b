import type { Availability, FeeQuestion, RegistryFee, Reply } from '../../../../core/ports/registry.ts';
import type { AvailabilityResult, Prepared, UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, flagOf, objectOf, objectsOf, textOf } from '../../fields.ts';
import { refusalReason } from '../../refusal-reason.ts';
import { evidenceOf } from '../../refusals.ts';
import type { Call } from '../../wire.ts';
import { pathOf, question } from './message.ts';

function feeOf(cents: unknown, currency: unknown): RegistryFee | undefined {
  const [amount, billedIn] = [Number(textOf(cents) ?? Number.NaN), textOf(currency)];
  return Number.isSafeInteger(amount) && amount >= 0 && billedIn !== undefined
    ? { amount: decimal(amount / 100), currency: billedIn }
    : undefined;
}

/** The price of a premium domain in the answer to a check. */
export const checkedFee = (entry: Fields): RegistryFee | undefined => feeOf(entry.price, entry.currency);

/** Only premium domains have prices of their own. Those of more years are not known before the order. */
export async function domainPrices(
  send: UpstreamClient,
  { status, entry }: AvailabilityResult,
  name: string,
  { years, isTransfer }: FeeQuestion,
): Promise<Partial<Availability>> {
  if (status === 'available') return flagOf(entry.premium) ? newPremium(entry, years) : {};
  if (isTransfer) return {};
  const { reply } = await send(question(pathOf(name)));
  if (reply.kind !== 'done' || !flagOf(objectOf(reply.data)?.premium)) return {};
  const quote = await quoteOf(send, renewalQuote(name), 'RENEW');
  return quote.kind === 'done' ? { premiumClass: 'premium', renewFee: quote.data.fee } : {};
}

function newPremium(entry: Fields, years: number): Partial<Availability> {
  const createFee = checkedFee(entry);
  if (years !== 1 || !createFee) return { available: false, reason: 'premium' };
  const renewFee = feeOf(entry.renewPrice, entry.currency);
  return { premiumClass: 'premium', createFee, ...(renewFee ? { renewFee } : {}) };
}

const renewalQuote = (name: string): Call => ({
  method: 'POST',
  path: `${pathOf(name)}/renew`,
  message: { period: 12 },
});

interface Quote {
  readonly fee: RegistryFee;
  /** What an order consents to. */
  readonly billables: readonly Fields[];
}

/** What an order would cost now. Nothing is executed. */
async function quoteOf(send: UpstreamClient, call: Call, action: 'CREATE' | 'RENEW'): Promise<Reply<Quote>> {
  const { reply } = await send({ ...call, query: { quote: 'true' } });
  if (reply.kind !== 'done') return reply;
  const quote = objectOf(objectOf(reply.data)?.quote);
  // Privacy and other products have their usual prices.
  const own = objectsOf(quote?.billables).filter((each) => textOf(each.action)?.toUpperCase() === action);
  const cents = own.reduce((sum, each) => sum + Number(textOf(each.total) ?? Number.NaN), 0);
  const fee = own.length === 0 ? undefined : feeOf(cents, quote?.currency);
  if (!fee) return { kind: 'unsent', why: `the quote of ${call.path} cannot be read` };
  const billables = own.map(({ product, quantity }) => ({ product, action, quantity: quantity ?? 1 }));
  return { ...reply, data: { fee, billables } };
}

/**
 * A consent has a product and no price, so the price is queried directly before the order. A change between both would be a charge that
 * differs from the order, which raises an alarm.
 */
export async function withConsent(
  send: UpstreamClient,
  name: string,
  call: Call,
  action: 'CREATE' | 'RENEW',
  fee: RegistryFee,
): Promise<Prepared> {
  const quote = await quoteOf(send, call, action);
  if (quote.kind === 'refused') return { refusal: { ...evidenceOf('other'), ...quote.evidence } };
  if (quote.kind !== 'done') return refusalReason(quote);
  const { fee: present, billables } = quote.data;
  if (present.currency !== fee.currency || Number(present.amount) !== Number(fee.amount))
    return { refusal: { ...evidenceOf('premium'), text: `the registry's price of ${name} is different` } };
  return [{ ...call, message: { ...call.message, billables } }];
}
