import type {
  Availability,
  FeeQuestion,
  ListedPrice,
  OfferedTld,
  RegistryFee,
  Reply,
} from '../../../../core/ports/registry.ts';
import type { AvailabilityResult, UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, flagOf, objectOf, textOf } from '../../fields.ts';
import { dataOf, partsOf, question, rowsOf } from './message.ts';

type Operation = 'create' | 'renew' | 'transfer' | 'restore';

/** Our price: `reseller` is in the currency of our account, `product` in that of the registry. */
function feeOf(prices: unknown, side: 'reseller' | 'product' = 'reseller'): RegistryFee | undefined {
  const money = objectOf(objectOf(prices)?.[side]);
  const [amount, currency] = [Number(textOf(money?.price) ?? Number.NaN), textOf(money?.currency)];
  return Number.isFinite(amount) && amount >= 0 && currency !== undefined
    ? { amount: decimal(amount), currency }
    : undefined;
}

interface DomainPrice {
  readonly isPremium: boolean;
  readonly fee: RegistryFee;
  readonly registryPrice: number;
}

async function priceOf(
  send: UpstreamClient,
  name: string,
  operation: Operation,
  years: number,
): Promise<Reply<DomainPrice>> {
  const { name: label, extension } = partsOf(name);
  const query = { 'domain.name': label, 'domain.extension': extension, operation, period: String(years) };
  const { reply } = await send(question('/domains/prices', query, name));
  if (reply.kind !== 'done') return reply;
  const data = dataOf(reply.data);
  const [fee, registry] = [feeOf(data.price), feeOf(data.price, 'product')];
  if (!fee || !registry) return { kind: 'unsent', why: `the price of ${name} cannot be read` };
  return {
    ...reply,
    data: { isPremium: flagOf(data.is_premium), fee, registryPrice: Number(registry.amount) },
  };
}

/** Only a premium domain has a price of its own. Others have that of the price list. */
export async function domainPrices(
  send: UpstreamClient,
  { status, entry }: AvailabilityResult,
  name: string,
  { years, isTransfer }: FeeQuestion,
): Promise<Partial<Availability>> {
  if (status === 'available' && !isPremium(entry)) {
    const fee = years === 1 ? feeOf(entry.price) : undefined;
    return fee ? { createFee: fee, standard: { create: true } } : {};
  }
  const wanted: readonly Operation[] =
    status === 'available' ? ['create', 'renew'] : [isTransfer ? 'transfer' : 'renew'];
  const found: Partial<Record<`${Operation}Fee`, RegistryFee>> = {};
  let hasOwnPrice = status === 'available';
  for (const operation of wanted) {
    const price = await priceOf(send, name, operation, operation === 'create' ? years : 1);
    if (price.kind !== 'done') continue;
    hasOwnPrice ||= price.data.isPremium;
    found[`${operation}Fee`] = price.data.fee;
  }
  return hasOwnPrice ? { ...found, premiumClass: 'premium' } : {};
}

const isPremium = (entry: Fields): boolean => flagOf(entry.is_premium) || objectOf(entry.premium) !== undefined;

/** RFC 5730 3, parameter value range error. */
const otherPrice = 2004;

/**
 * What an order accepts as the price of a premium domain, which Openprovider compares in the currency of the registry. Undefined: the
 * domain has the usual price.
 */
export async function acceptedFee(
  send: UpstreamClient,
  name: string,
  operation: 'create' | 'transfer',
  years: number,
  fee: RegistryFee | undefined,
): Promise<
  { readonly fee?: number } | string | { readonly refusal: { readonly code: number; readonly text: string } }
> {
  if (!fee) return {};
  const price = await priceOf(send, name, operation, years);
  if (price.kind === 'refused')
    return { refusal: { code: otherPrice, text: 'the registry does not report its price' } };
  if (price.kind !== 'done') return price.why;
  const { isPremium: isOwn, fee: present, registryPrice } = price.data;
  if (!isOwn) return {};
  const isSame = present.currency === fee.currency && Number(present.amount) === Number(fee.amount);
  return isSame
    ? { fee: registryPrice }
    : { refusal: { code: otherPrice, text: `the registry's price of ${name} is different` } };
}

const listedFields: Readonly<Record<Operation, string>> = {
  create: 'create_price',
  renew: 'renew_price',
  transfer: 'transfer_price',
  restore: 'restore_price',
};

/** One query for each TLD. */
export async function priceListOf(
  send: UpstreamClient,
  tlds: readonly string[],
): Promise<Reply<readonly ListedPrice[]>> {
  const found: ListedPrice[] = [];
  for (const tld of tlds) {
    const { reply } = await send(question(`/tlds/${encodeURIComponent(tld)}`, { with_price: 'true' }));
    if (reply.kind === 'refused') continue;
    if (reply.kind !== 'done') return reply;
    found.push(...pricesOf(tld, dataOf(reply.data)));
  }
  return { kind: 'done', data: found, pending: false, evidence: {} };
}

/** It is not documented whether a price is for one year or for the shortest term, so only those of one year are read. */
function pricesOf(tld: string, data: Fields): ListedPrice[] {
  const prices = objectOf(data.prices);
  const shortest = Number(textOf(prices?.min_period) ?? textOf(data.min_period) ?? 1);
  if (!prices || shortest !== 1) return [];
  return Object.entries(listedFields).flatMap(([command, field]) => {
    const fee = feeOf(prices[field]);
    return fee ? [{ tld, command: command as Operation, years: 1, fee }] : [];
  });
}

const tldsPerPage = 500;
const tldPages = 20;

export async function offeredTldsOf(send: UpstreamClient): Promise<Reply<readonly OfferedTld[]>> {
  const found: OfferedTld[] = [];
  for (let page = 0; page < tldPages; page += 1) {
    const range = { limit: String(tldsPerPage), offset: String(page * tldsPerPage) };
    const { reply } = await send(question('/tlds', { ...range, status: 'ACT' }));
    if (reply.kind !== 'done') return reply;
    const read = rowsOf(reply.data);
    if (!read) return { kind: 'unsent', why: 'the list of TLDs cannot be read' };
    found.push(...read.rows.flatMap(offeredOf));
    if (read.rows.length === 0 || (page + 1) * tldsPerPage >= read.total)
      return { kind: 'done', data: found, pending: false, evidence: {} };
  }
  return { kind: 'unsent', why: 'the list of TLDs has too many pages to read' };
}

function offeredOf(row: Fields): OfferedTld[] {
  const tld = textOf(row.name)?.toLowerCase();
  const years = (field: string) => {
    const count = Number(textOf(row[field]) ?? Number.NaN);
    return Number.isInteger(count) && count > 0 ? count : undefined;
  };
  if (tld === undefined) return [];
  const [minYears, maxYears] = [years('min_period'), years('max_period')];
  return [{ tld, ...(minYears === undefined ? {} : { minYears }), ...(maxYears === undefined ? {} : { maxYears }) }];
}
