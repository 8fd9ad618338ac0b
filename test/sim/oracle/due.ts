import { setTimeout as sleep } from 'node:timers/promises';
import { nudge, read, readRegistered } from '../facts.ts';
import { possibleModesAt, type RenewalMode } from '../modes.ts';
import type { Order } from '../order.ts';
import type { Play } from '../player.ts';
import { dayMs } from './calendar.ts';
import { Disagreement } from './disagreement.ts';
import { leadDaysOf } from './graces.ts';
import { isBought, type Log, modeChangesOf, renewalsOf, slackMs } from './renewals.ts';
import { wrongHolds } from './verification.ts';

/** This close to the due time, either state is accepted. */
const soonMs = 30_000;

/** Background work for the domains of the script that is due and not done, one sentence each. */
export async function overdue({ installation, ledger }: Play): Promise<string[]> {
  const log = await ledger.events.read(installation, ledger);
  const found = await Promise.all(ledger.names.map((name) => overdueOf({ installation, ledger }, log, name)));
  const unnoticed = await Promise.all(
    [...ledger.asked]
      .filter((name) => ledger.names.includes(name))
      .map((name) => unnoticedOf({ installation, ledger }, name)),
  );
  const held = await Promise.all(
    [...ledger.registrants]
      .filter(([name]) => ledger.names.includes(name))
      .map(([name, registrant]) => wrongHolds({ installation, ledger }, log, name, registrant)),
  );
  return [...found, ...unnoticed, ...held].filter((each) => each !== undefined);
}

async function overdueOf(
  { installation, ledger }: Pick<Play, 'installation' | 'ledger'>,
  log: Log,
  name: string,
): Promise<string | undefined> {
  const orders = ledger.orders.filter((order) => order.name === name);
  const renewals = renewalsOf(name, log, orders, ledger.skewMs);
  const turns = modeChangesOf(ledger, name, renewals, log);
  const now = await installation.now();
  if (turns.every(({ at }) => at > now)) return undefined;
  if (turns.some(({ at, what }) => at > now && what === 'chosen')) return `the mode of ${name} was set a moment ago`;
  if (turns.some(({ at, what }) => at > now - ledger.skewMs && what === 'renewed')) return undefined;
  const ways = possibleModesAt(turns, now);
  const [way] = ways;
  if (way === undefined || ways.some(({ mode, maxCents }) => mode !== way.mode || maxCents !== way.maxCents))
    return undefined;
  return overdueBy({ installation, ledger }, log, orders, way);
}

async function overdueBy(
  { installation, ledger }: Pick<Play, 'installation' | 'ledger'>,
  log: Log,
  orders: readonly Order[],
  way: RenewalMode,
): Promise<string | undefined> {
  const { name, buyer: first } = orders[0] as Order;
  const buyer = ledger.owners.get(name) ?? first;
  if (way.mode === 'manual') return undefined;
  const there = await readRegistered(installation, name);
  if (there?.sponsor !== 'namehold' || there.transferPending || (there.phase !== 'active' && there.phase !== 'expired'))
    return undefined;
  const { status, body } = await read(installation, `/v1/domains/${name}`, buyer.caller);
  if (status !== 200 || body.state !== 'live') return undefined;
  if (body.renewal_mode !== way.mode)
    throw new Disagreement('name', `the mode of ${name} is ${body.renewal_mode}, and ${way.mode} was chosen`);
  const endsAt = Date.parse(`${(body.end_date as string).replace(' ', 'T')}Z`);
  const leftMs = endsAt - (await installation.now());
  if (way.mode === 'delete')
    // A lock prevents it; no page says for how long it is then retried.
    return leftMs <= soonMs && !there.statuses.includes('clientDeleteProhibited')
      ? `${name} should have expired on ${body.end_date}`
      : undefined;
  if (leftMs > leadDaysOf(name) * dayMs + soonMs) return undefined;
  // The price with privacy depends on the moment.
  if (way.maxCents !== undefined && orders.some(({ verb, withPrivacy }) => verb === 'privacy' || withPrivacy))
    return undefined;
  if (isBought(way, name, buyer, false)) return `${name} is to be renewed, it ends on ${body.end_date}`;
  const since = endsAt - leadDaysOf(name) * dayMs - slackMs - ledger.skewMs;
  const isReported = log.some(
    ({ type, payload, at }) => type === 'domain.auto_renewal_failed' && payload.domain_name === name && at >= since,
  );
  return isReported ? undefined : `${name} costs more than the limit, and no event reported it`;
}

/** docs/guide/transferring-out.md: a registry may not report a requested or completed transfer; every domain is compared once a day. */
async function unnoticedOf(
  { installation, ledger }: Pick<Play, 'installation' | 'ledger'>,
  name: string,
): Promise<string | undefined> {
  const order = ledger.orders.find((each) => each.name === name);
  const there = await readRegistered(installation, name);
  if (order === undefined || there === undefined) return undefined;
  const { caller } = ledger.owners.get(name) ?? order.buyer;
  const { status, body } = await read(installation, `/v1/domains/${name}`, caller);
  const here = status === 200 ? (body.state as string) : 'removed';
  if (there.sponsor !== 'namehold') return here === 'removed' ? undefined : `${name} has gone, and is ${here} here`;
  if (there.transferPending === (here === 'pending_transfer')) return undefined;
  return `${name} is ${here} here, and a transfer is ${there.transferPending ? 'pending' : 'over'}`;
}

/** Background jobs run every minute; failed ones are retried after an hour, or after a day (docs/guide/auto-renew.md). */
const laterMs = [3_600_000 + 60_000, dayMs + 60_000];
const waitLimitMs = 30_000;
const lastWaitLimitMs = 300_000;

export class DueWait {
  #since: number | undefined;
  #moved = 0;

  /** Waits, or moves the clock. Work that is still due then is missing. */
  async wait({ installation }: Play, left: readonly string[]): Promise<void> {
    await nudge(installation);
    await sleep(500);
    this.#since ??= performance.now();
    const byMs = laterMs[this.#moved];
    if (performance.now() - this.#since < (byMs === undefined ? lastWaitLimitMs : waitLimitMs)) return;
    if (byMs === undefined) throw new Disagreement('name', `${left.join('; ')}; an hour and a day later too`);
    console.log(`time passes for it: ${left.join('; ')}`);
    this.#moved += 1;
    this.#since = performance.now();
    await installation.move(byMs);
  }
}
