import type { ReceivedEvent } from '../events.ts';
import { type ModeChange, possibleModesAt, type RenewalMode } from '../modes.ts';
import { costOf, type Order } from '../order.ts';
import type { Ledger } from '../player.ts';
import type { Trader } from '../resellers.ts';
import { dayMs, yearsOn } from './calendar.ts';
import { leadDaysOf } from './graces.ts';
import { isPremium, type Prices, pricesOf } from './price-table.ts';

/** A finished renewal: ordered, or by the mode of the domain. */
export interface Renewal {
  readonly operationId: string;
  readonly at: number;
  readonly years: number;
  /** The expiry after it. */
  readonly endsAt: number;
  readonly payer: Trader;
  /** `perhaps`: the clock moved during the purchase of the privacy, and no page defines its start. */
  readonly withPrivacy: boolean | 'perhaps';
  readonly isAutomatic: boolean;
}

export type Log = readonly (ReceivedEvent & { readonly by: Trader })[];

/** Events have whole seconds, and an answer takes time. */
export const slackMs = 3_000;
/** A leap day. */
const leapMs = dayMs + slackMs;

/** docs/events: every finished renewal has an event; one by the platform has `automatic`. */
export function renewalsOf(name: string, log: Log, orders: readonly Order[], skewMs: number): readonly Renewal[] {
  const renewalEvents = log
    .filter(({ type, payload }) => type === 'domain.renewed' && payload.domain_name === name)
    .sort((one, other) => one.at - other.at);
  const made: Renewal[] = [];
  for (const { at, payload, by } of renewalEvents) {
    const ordered = orders.find(({ operationId }) => operationId === payload.operation_id);
    const isAutomatic = payload.automatic === true;
    const hadPrivacy = isDoubtful(orders, at, skewMs) ? 'perhaps' : privacyEnd(log, orders, name, made, at) > at;
    const withPrivacy = isAutomatic ? hadPrivacy : (ordered?.withPrivacy ?? false);
    const endsAt = Date.parse(payload.expires_at);
    const { operation_id: operationId, years } = payload;
    made.push({ operationId, at, years, endsAt, payer: by, withPrivacy, isAutomatic });
  }
  return made;
}

const isDoubtful = (orders: readonly Order[], at: number, skewMs: number): boolean =>
  orders.some(
    ({ verb, withPrivacy, answer, placedAt, finalAt = Number.POSITIVE_INFINITY }) =>
      (verb === 'privacy' || withPrivacy) &&
      answer !== 'refused' &&
      placedAt <= at + skewMs &&
      (finalAt + slackMs + skewMs >= at || finalAt - placedAt > dayMs),
  );

/**
 * docs/guide/registering-domains.md: privacy is bought from the end of the current one to the expiry of the domain at most. With the
 * registration or a renewal it covers the same time.
 */
function privacyEnd(
  log: Log,
  orders: readonly Order[],
  name: string,
  renewals: readonly Renewal[],
  at: number,
): number {
  const ends = [
    ...log
      .filter(({ type, payload }) => type === 'domain.registered' && payload.domain_name === name)
      .map((each) => ({ at: each.at, endsAt: Date.parse(each.payload.expires_at) })),
    ...renewals,
  ];
  const endAt = (when: number) => ends.findLast((each) => each.at <= when + slackMs)?.endsAt ?? 0;
  const bought = orders.filter(
    ({ state, verb, withPrivacy, finalAt = 0 }) =>
      state === 'done' && finalAt <= at && verb !== 'renew' && (verb === 'privacy' || withPrivacy),
  );
  const turns = [
    ...bought.map(({ placedAt, finalAt = 0, verb, years }) => (until: number) => {
      if (verb === 'register') return endAt(finalAt);
      return Math.max(until, Math.min(yearsOn(Math.max(until, placedAt), years), endAt(finalAt)));
    }),
    ...renewals
      .filter(({ withPrivacy }) => withPrivacy)
      .map(
        ({ endsAt }) =>
          (until: number) =>
            Math.max(until, endsAt),
      ),
  ];
  return turns.reduce((until, turn) => turn(until), 0);
}

/** docs/guide/auto-renew.md: a renewal above the limit is not bought, and a premium domain needs a limit. */
export function isBought({ mode, maxCents }: RenewalMode, name: string, payer: Trader, withPrivacy: boolean): boolean {
  if (mode !== 'renew' && mode !== 'renew_once') return false;
  if (maxCents === undefined) return !isPremium(name);
  return renewalCost(pricesOf(name, payer.level), withPrivacy) <= maxCents;
}

export const renewalCost = (prices: Prices, withPrivacy: boolean): number =>
  costOf({ verb: 'renew', years: 1, withPrivacy, withRenewal: false }, prices);

/** The first move to another reseller after this time. */
const goneAt = (log: Log, name: string, from: Trader, since: number): number =>
  Math.min(
    ...log
      .filter(({ type, payload }) => type === 'domain.moved_in' && payload.domain_name === name)
      .filter(({ at, by }) => by !== from && at >= since)
      .map(({ at }) => at),
  );

/** The modes of the domain over time. */
export function modeChangesOf(
  { orders, wishes, moves, skewMs }: Ledger,
  name: string,
  renewals: readonly Renewal[],
  log: Log,
): ModeChange[] {
  const turns: ModeChange[] = [];
  for (const { type, payload, at } of log) {
    if (payload.domain_name !== name) continue;
    const moved = moves.find(({ moveId }) => moveId === payload.operation_id);
    // At its new reseller the initial mode applies.
    if (type === 'domain.moved_in' && moved !== undefined)
      turns.push({ at, what: 'begins', way: { mode: moved.beginsWith, maxCents: undefined } });
  }
  for (const { name: ordered, beginsWith, placedAt, answer } of orders)
    if (ordered === name && beginsWith !== undefined && answer === 'accepted')
      turns.push({ at: placedAt, what: 'begins', way: { mode: beginsWith, maxCents: undefined } });
  for (const { name: wished, mode, maxCents, buyer, sentAt, answeredAt, answer } of wishes) {
    if (wished !== name || answer === 'refused') continue;
    // The former reseller's settings no longer count; accepted ones came before.
    const until = goneAt(log, name, buyer, sentAt - slackMs - skewMs) - 1;
    const before = (at: number) => Math.min(at, until);
    turns.push({ at: before(sentAt - slackMs), what: 'perhaps', way: { mode, maxCents } });
    if (answeredAt !== undefined)
      turns.push({ at: before(answeredAt + slackMs), what: 'chosen', way: { mode, maxCents } });
  }
  for (const { at, isAutomatic } of renewals) turns.push({ at, what: 'renewed', isAutomatic });
  return turns;
}

/** docs/guide/auto-renew.md: only by the mode, only when due, one term after the other, and by the shortest term. */
export function renewalViolations(ledger: Ledger, name: string, renewals: readonly Renewal[], log: Log): string[] {
  const orders = ledger.orders.filter((order) => order.name === name);
  const complaints = orders
    .filter(({ verb, state }) => verb === 'renew' && state === 'done')
    .filter(({ operationId }) => !renewals.some((renewal) => renewal.operationId === operationId))
    .map(({ operationId }) => `${name}: the renewal ${operationId} is done, without an event domain.renewed`);
  for (const renewal of renewals) {
    const { operationId, at, isAutomatic, years, endsAt, payer, withPrivacy } = renewal;
    const isOrdered = orders.some((order) => order.operationId === operationId);
    const when = `${name}: the renewal ${operationId} of ${new Date(at).toISOString()}`;
    if (isOrdered !== !isAutomatic)
      complaints.push(
        `${when} is reported as ${isAutomatic ? 'automatic' : 'ordered'} and was ${isOrdered ? 'ordered' : 'not ordered'}`,
      );
    if (!isAutomatic) continue;
    const earlier = renewals.filter((other) => other !== renewal && other.at <= at);
    const turns = modeChangesOf(ledger, name, earlier, log);
    const around = turns.map((turn) => turn.at).filter((when) => Math.abs(when - at) <= ledger.skewMs);
    const ways = [at, at - ledger.skewMs, ...around].flatMap((when) => possibleModesAt(turns, when));
    const ofIt = withPrivacy === 'perhaps' ? [true, false] : [withPrivacy];
    if (!ways.some((way) => ofIt.some((each) => isBought(way, name, payer, each))))
      complaints.push(`${when} was automatic, and the mode was ${JSON.stringify(ways)}`);
    if (years !== 1) complaints.push(`${when} was automatic for ${years} years`);
    const dueAt = yearsOn(endsAt, -years) - leadDaysOf(name) * dayMs;
    if (at < dueAt - leapMs - 2 * ledger.skewMs)
      complaints.push(`${when} was automatic before ${new Date(dueAt).toISOString()}`);
  }
  return complaints;
}
