import type { ListedPrice, OfferedTld, Reply } from '../../../../core/ports/registry.ts';
import type { UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, objectOf, objectsOf, textOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { question } from './calls.ts';
import { textsOf } from './detail.ts';

const actions = {
  create: 'addnewdomain',
  renew: 'renewdomain',
  transfer: 'addtransferdomain',
  restore: 'restoredomain',
} as const;

const unreadable = (call: string): Reply<never> => ({ kind: 'unsent', why: `the list ${call} cannot be read` });

/** The TLDs of each product. */
async function productsOf(send: UpstreamClient): Promise<Reply<ReadonlyMap<string, readonly string[]>>> {
  const { reply } = await send(question('products/category-keys-mapping', {}));
  if (reply.kind !== 'done') return reply;
  const category = objectOf(reply.data)?.domorder;
  if (!Array.isArray(category)) return unreadable('products/category-keys-mapping');
  const products = objectsOf(category).flatMap((row) =>
    Object.entries(row).map(
      ([product, tlds]) => [product, textsOf(tlds).map((tld) => tld.toLowerCase().replace(/^\./, ''))] as const,
    ),
  );
  return { ...reply, data: new Map(products) };
}

export async function offeredTlds(send: UpstreamClient): Promise<Reply<readonly OfferedTld[]>> {
  const products = await productsOf(send);
  if (products.kind !== 'done') return products;
  const names = new Set([...products.data.values()].flat());
  return { ...products, data: [...names].sort().map((tld) => ({ tld })) };
}

/** One list has the costs of all products. */
export async function priceList(
  send: UpstreamClient,
  tlds: readonly string[],
  { currency }: UpstreamProfile,
): Promise<Reply<readonly ListedPrice[]>> {
  const products = await productsOf(send);
  if (products.kind !== 'done') return products;
  const { reply } = await send(question('products/reseller-cost-price', {}));
  if (reply.kind !== 'done') return reply;
  const costs = objectOf(reply.data);
  if (!costs) return unreadable('products/reseller-cost-price');
  const wanted = new Set(tlds);
  const prices = [...products.data].flatMap(([product, names]) =>
    names.filter((tld) => wanted.has(tld)).flatMap((tld) => pricesOf(tld, objectOf(costs[product]), currency)),
  );
  return { ...reply, data: prices };
}

/** Of one year, because the documents do not say whether the price of more years is for each year. */
function pricesOf(tld: string, product: Fields | undefined, currency: string): ListedPrice[] {
  return Object.entries(actions).flatMap(([command, action]): ListedPrice[] => {
    const text = textOf(objectOf(product?.[action])?.['1']);
    const amount = text === undefined ? Number.NaN : Number(text);
    // What is not sold has the price 0. Only a transfer may be free.
    if (!Number.isFinite(amount) || amount < 0 || (amount === 0 && command !== 'transfer')) return [];
    return [{ tld, command: command as ListedPrice['command'], years: 1, fee: { amount: decimal(amount), currency } }];
  });
}
