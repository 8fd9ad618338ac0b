import type { ListedPrice, OfferedTld, Reply } from '../../../../core/ports/registry.ts';
import type { UpstreamClient } from '../../dialect.ts';
import { decimal, type Fields, objectOf, objectsOf, textOf, timeOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { tldOf } from '../../roles.ts';
import { accountPath, question } from './message.ts';

const factsMs = 86_400_000;

/** How long before its end a domain must be renewed, which differs by TLD. It is read once a day. */
export interface TldFacts {
  /** Undefined: until its end, or unknown at present. */
  renewBySeconds(send: UpstreamClient, name: string): Promise<number | undefined>;
}

export function tldFacts(): TldFacts {
  const known = new Map<string, { readonly at: number; readonly seconds: number | undefined }>();
  return {
    async renewBySeconds(send, name) {
      const tld = tldOf(name);
      const kept = known.get(tld);
      if (kept && performance.now() - kept.at < factsMs) return kept.seconds;
      const { reply } = await send(question(`/tlds/${encodeURIComponent(tld)}/info`));
      if (reply.kind !== 'done') return kept?.seconds;
      const offset = Number(textOf(objectOf(objectOf(reply.data)?.metadata)?.expiryDateOffset) ?? 0);
      const seconds = Number.isFinite(offset) && offset > 0 ? offset : undefined;
      known.set(tld, { at: performance.now(), seconds });
      return seconds;
    },
  };
}

const commands: Readonly<Record<string, ListedPrice['command']>> = {
  CREATE: 'create',
  RENEW: 'renew',
  TRANSFER: 'transfer',
  RESTORE: 'restore',
};

/** The names that products have in the official WHMCS module. Others are in the profile. */
function productsOf(tld: string, { realtimeregister }: UpstreamProfile): string[] {
  const own = realtimeregister.tlds[tld]?.product;
  if (own !== undefined) return [own];
  const top = tld.slice(tld.lastIndexOf('.') + 1);
  return [`domain_${tld}`, ...(top === tld ? [] : [`domain_${top}_sld`])];
}

async function priceRows(send: UpstreamClient): Promise<Reply<Fields>> {
  const { reply } = await send(question(accountPath('pricelist')));
  if (reply.kind !== 'done') return reply;
  const list = objectOf(reply.data);
  return list && Array.isArray(list.prices)
    ? { ...reply, data: list }
    : { kind: 'unsent', why: 'the price list cannot be read' };
}

/** Prices of one year, and their announced changes. Promotions have an end, so they are left out. */
export async function priceList(
  send: UpstreamClient,
  tlds: readonly string[],
  profile: UpstreamProfile,
): Promise<Reply<readonly ListedPrice[]>> {
  const read = await priceRows(send);
  if (read.kind !== 'done') return read;
  const rows = [...objectsOf(read.data.prices), ...objectsOf(read.data.priceChanges)];
  const found = tlds.flatMap((tld) => {
    const named = productsOf(tld, profile);
    const product = named.find((each) => rows.some((row) => textOf(row.product) === each));
    return rows
      .filter((row) => product !== undefined && textOf(row.product) === product)
      .flatMap((row) => priceOf(tld, row, profile));
  });
  return { ...read, data: found };
}

function priceOf(tld: string, row: Fields, { utcOffset }: UpstreamProfile): ListedPrice[] {
  const command = commands[textOf(row.action)?.toUpperCase() ?? ''];
  const cents = Number(textOf(row.price) ?? Number.NaN);
  const currency = textOf(row.currency);
  const from = timeOf(row.fromDate, utcOffset);
  if (!command || !Number.isSafeInteger(cents) || currency === undefined) return [];
  const fee = { amount: decimal(cents / 100), currency };
  return [{ tld, command, years: 1, fee, ...(from ? { from } : {}) }];
}

/** By the price list. Facts of a TLD need a query each, so they are not in this list. */
export async function offeredTlds(
  send: UpstreamClient,
  profile: UpstreamProfile,
): Promise<Reply<readonly OfferedTld[]>> {
  const read = await priceRows(send);
  if (read.kind !== 'done') return read;
  const products = new Set(
    objectsOf(read.data.prices).flatMap(({ product, action }) =>
      textOf(action)?.toUpperCase() === 'CREATE' ? (textOf(product) ?? []) : [],
    ),
  );
  const ordinary = [...products].flatMap(
    (product) => /^domain_([a-z0-9-]+(?:\.[a-z0-9-]+)*)$/.exec(product)?.[1] ?? [],
  );
  const named = Object.entries(profile.realtimeregister.tlds).flatMap(([tld, { product }]) =>
    product !== undefined && products.has(product) ? [tld] : [],
  );
  return { ...read, data: [...new Set([...ordinary, ...named])].sort().map((tld) => ({ tld })) };
}
