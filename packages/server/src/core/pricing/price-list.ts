import { displayName, formatMoney, type Money } from '@namehold/base';
import type { Actor, House } from '../house.ts';
import { readTlds } from '../tlds/list.ts';
import { type PriceFacts, readFacts } from './facts.ts';
import { type Audience, isYearly, type PriceAction } from './price.ts';
import { askedBy, payableAt } from './reckon.ts';

type ByYears = Record<string, string>;

/** The contract's hybrid shape (its section 6.7): one body that two generations of clients read. */
export interface PriceListItem {
  readonly tld_label: string;
  readonly currency: string;
  readonly create: ByYears;
  readonly renew: ByYears;
  readonly transfer: ByYears;
  readonly restore: ByYears;
  readonly trade: ByYears;
  readonly privacy_protect: string | null;
  /** One-year figures under the older words; a client joins them with GET /tlds on the key. */
  readonly '0': {
    readonly addnewdomain: string | null;
    readonly addtransferdomain: string | null;
    readonly renewdomain: string | null;
    readonly restoredomain: string | null;
  };
}

/** Keyed by the TLD without its dot, as GET /tlds is. */
export type PriceList = Record<string, PriceListItem>;

/** What the caller itself pays. */
export async function ownPriceList(house: House, actor: Actor): Promise<PriceList> {
  const facts = await allFacts(house, actor, null);
  return listOf(house, facts, (tld, action, years) => payableAt(facts, 0, { tld, action, years }));
}

/** What the caller asks of its customers or sub-resellers, in its selling currency. */
export async function sellingPriceList(house: House, actor: Actor, audience: Audience): Promise<PriceList> {
  const facts = await allFacts(house, actor, audience);
  const { currency } = facts.levels[0]!;
  return listOf(house, facts, (tld, action, years) => askedBy(facts, 0, currency, { tld, action, years }));
}

function allFacts(house: House, actor: Actor, ownAudience: Audience | null): Promise<PriceFacts> {
  const { resellerId } = actor;
  const question = { resellerId, at: house.clock.now(), tld: null, action: null, ownAudience };
  return readFacts(house.db.as(resellerId), question);
}

type PriceOf = (tld: string, action: PriceAction, years: number) => Money | undefined;

/** Only TLDs on offer, and only for the years that they can be had for. */
async function listOf(house: House, facts: PriceFacts, priceOf: PriceOf): Promise<PriceList> {
  const { currency } = facts.levels[0]!;
  const yearsMax = new Map((await readTlds(house)).map((tld) => [tld.name, tld.rules.periods.max_years]));
  const list: PriceList = {};
  for (const tld of facts.tlds) {
    const longest = yearsMax.get(tld);
    if (longest === undefined) continue;
    const table = (action: PriceAction): ByYears => {
      const figures: ByYears = {};
      for (let years = 1; years <= (isYearly(action) ? longest : 1); years++) {
        const price = priceOf(tld, action, years);
        // The operator's costs may be in another currency than the list says; such a figure would mislead.
        if (price?.currency === currency) figures[String(years)] = formatMoney(price);
      }
      return figures;
    };
    const item = itemOf(tld, currency, table);
    if (Object.keys({ ...item.create, ...item.renew, ...item.transfer }).length > 0) list[tld] = item;
  }
  return list;
}

function itemOf(tld: string, currency: string, table: (action: PriceAction) => ByYears): PriceListItem {
  const [create, renew, transfer, restore, trade] = (['create', 'renew', 'transfer', 'restore', 'trade'] as const).map(
    table,
  ) as [ByYears, ByYears, ByYears, ByYears, ByYears];
  return {
    tld_label: `.${displayName(tld)}`,
    currency,
    create,
    renew,
    transfer,
    restore,
    trade,
    privacy_protect: table('privacy')['1'] ?? null,
    '0': {
      addnewdomain: create['1'] ?? null,
      addtransferdomain: transfer['1'] ?? null,
      renewdomain: renew['1'] ?? null,
      restoredomain: restore['1'] ?? null,
    },
  };
}
