import type { ListedPrice, OfferedTld, Reply } from '../../../../core/ports/registry.ts';
import type { UpstreamClient } from '../../dialect.ts';
import { type Fields, objectOf, textOf } from '../../fields.ts';

const commands = ['create', 'renew', 'transfer', 'restore'] as const;

/** What an order would cost us now. */
export async function priceList(send: UpstreamClient, tlds: readonly string[]): Promise<Reply<readonly ListedPrice[]>> {
  const { reply } = await send({ method: 'GET', path: '/account/prices' });
  if (reply.kind !== 'done') return reply;
  const list = objectOf(reply.data);
  if (!list) return { kind: 'unsent', why: 'the price list cannot be read' };
  return { ...reply, data: tlds.flatMap((tld) => pricesOf(tld, objectOf(list[tld]))) };
}

function pricesOf(tld: string, prices: Fields | undefined): ListedPrice[] {
  const currency = textOf(prices?.currency);
  if (currency === undefined) return [];
  return commands.flatMap((command) =>
    Object.entries(objectOf(prices?.[command]) ?? {}).flatMap(([years, price]): ListedPrice[] => {
      const amount = textOf(price);
      return amount === undefined ? [] : [{ tld, command, years: Number(years), fee: { amount, currency } }];
    }),
  );
}

/** One request for each TLD, because the list has no rules. */
export async function offeredTlds(send: UpstreamClient): Promise<Reply<readonly OfferedTld[]>> {
  const { reply } = await send({ method: 'GET', path: '/tlds' });
  if (reply.kind !== 'done') return reply;
  const list = objectOf(reply.data);
  if (!list) return { kind: 'unsent', why: 'the list of TLDs cannot be read' };
  const offered: OfferedTld[] = [];
  for (const tld of Object.keys(list).sort()) {
    const { reply: shown } = await send({ method: 'GET', path: `/tlds/${encodeURIComponent(tld)}` });
    // It is not offered any more.
    if (shown.kind === 'refused') continue;
    if (shown.kind !== 'done') return shown;
    offered.push({ tld, ...factsOf(objectOf(objectOf(shown.data)?.rules)) });
  }
  return { ...reply, data: offered };
}

function factsOf(rules: Fields | undefined): Omit<OfferedTld, 'tld'> {
  if (!rules) return {};
  const periods = objectOf(rules.periods);
  const grace = objectOf(rules.grace_days);
  return {
    ...count('minYears', periods?.min_years),
    ...count('maxYears', periods?.max_years),
    ...count('transferYears', rules.transfer_years ?? 1),
    ...count('restoreYears', rules.restore_years ?? 0),
    ...count('graceDays', rules.auto_renew === true ? grace?.auto_renew : grace?.expired_hold),
  };
}

const count = (field: string, value: unknown) => (Number.isSafeInteger(value) ? { [field]: value as number } : {});
