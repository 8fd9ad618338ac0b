import type { Installation } from '../faults/world.ts';
import { decimal } from './oracle/price-table.ts';
import { isAnswer } from './order.ts';
import type { Trader } from './resellers.ts';
import type { Mode } from './script.ts';

/** A mode that a careful client set for a domain: with a key, and retried until there is an answer. */
export interface ModeWish {
  readonly name: string;
  readonly mode: Mode;
  /** The highest price; undefined: the list price. */
  readonly maxCents: number | undefined;
  readonly buyer: Trader;
  readonly via: number;
  readonly key: string;
  readonly sentAt: number;
  answeredAt?: number;
  answer: 'none' | 'accepted' | 'refused';
}

export async function wishMode(installation: Installation, wish: ModeWish): Promise<void> {
  const service = installation.services[wish.via];
  const guard = wish.maxCents === undefined ? {} : { max_price: decimal(wish.maxCents) };
  const called = await installation.call('PUT', `/v1/domains/${wish.name}/renewal_mode`, {
    form: { renewal_mode: wish.mode, ...guard },
    headers: { 'Idempotency-Key': wish.key },
    as: wish.buyer.caller,
    ...(service?.isAlive && !service.isPaused ? { via: wish.via } : {}),
    timeoutMs: 8_000,
  });
  if (!isAnswer(called)) return;
  wish.answeredAt = await installation.now();
  wish.answer = called.status < 300 ? 'accepted' : 'refused';
}

/** The initial mode of new domains, on one level of the chain (docs/guide/auto-renew.md). */
export interface Defaults {
  account: Mode;
  customer: Mode | 'default';
}

export const modeOfNew = ({ account, customer }: Defaults): Mode => (customer === 'default' ? account : customer);

/** All changes of one domain's mode, in order of time. */
export type ModeChange =
  | { readonly at: number; readonly what: 'begins' | 'chosen' | 'perhaps'; readonly way: RenewalMode }
  /** Renewed by the platform, or by its reseller. */
  | { readonly at: number; readonly what: 'renewed'; readonly isAutomatic: boolean };

export interface RenewalMode {
  readonly mode: Mode;
  readonly maxCents: number | undefined;
}

/** The possible modes of a domain, as far as known from outside: several if an answer was lost. */
export function possibleModesAt(turns: readonly ModeChange[], at: number): readonly RenewalMode[] {
  let ways: RenewalMode[] = [];
  for (const turn of turns.filter((each) => each.at <= at).sort((one, other) => one.at - other.at)) {
    if (turn.what === 'renewed') ways = ways.flatMap((way) => afterRenewal(way, turn.isAutomatic));
    else if (turn.what === 'perhaps') ways = [...ways, turn.way];
    else ways = [turn.way];
  }
  return ways;
}

/** `renew_once` is for one term. The guide does not say whether a renewal by order is that one. */
function afterRenewal(way: RenewalMode, isAutomatic: boolean): RenewalMode[] {
  if (way.mode !== 'renew_once') return [way];
  const manual: RenewalMode = { mode: 'manual', maxCents: undefined };
  return isAutomatic ? [manual] : [way, manual];
}
