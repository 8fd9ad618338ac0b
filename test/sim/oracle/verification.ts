import { read, readRegistered } from '../facts.ts';
import type { Order } from '../order.ts';
import type { Play } from '../player.ts';
import type { RegistrantState } from '../registrants.ts';
import { dayMs } from './calendar.ts';
import { tldOf } from './price-table.ts';
import { type Log, slackMs } from './renewals.ts';

/** docs/guide/notices.md: registrants of gTLD domains have 15 days. */
const daysToConfirm = 15;
/** ccTLDs have two letters. */
const isGeneric = (name: string): boolean => tldOf(name).split('.').at(-1)!.length > 2;
const soonMs = 30_000;

export const verificationRequests = (log: Log, name: string) =>
  log.filter(({ type, payload }) => type === 'domain.verification_asked' && payload.domain_name === name);

/** Undocumented cases are not checked: a pending confirmation after a change of registrant, or of reseller. */
const isPlain = ({ ledger }: Pick<Play, 'ledger'>, orders: readonly Order[]): boolean =>
  !orders.some(({ verb, answer }) => (verb === 'contacts' || verb === 'hand-over') && answer !== 'refused') &&
  !ledger.moves.some(({ name, answer }) => name === orders[0]?.name && answer !== 'refused');

/** A domain that should be out of the DNS and is not, or the reverse. */
export async function wrongHolds(
  { installation, ledger }: Pick<Play, 'installation' | 'ledger'>,
  log: Log,
  name: string,
  registrant: RegistrantState,
): Promise<string | undefined> {
  const orders = ledger.orders.filter((order) => order.name === name);
  const there = await readRegistered(installation, name);
  if (!isPlain({ ledger }, orders) || there?.sponsor !== 'namehold' || there.phase !== 'active') return undefined;
  // A lock prevents both, and so does a pending transfer.
  if (there.transferPending || there.statuses.includes('clientUpdateProhibited')) return undefined;
  const isHeld = there.statuses.includes('clientHold');
  // docs/guide/domain-states.md: an unpaid domain does not resolve in its last days either.
  const { body } = await read(installation, `/v1/domains/${name}`, (orders[0] as Order).buyer.caller);
  if (body?.end_date && Date.parse(`${body.end_date.replace(' ', 'T')}Z`) <= (await installation.now()) + soonMs)
    return undefined;
  const now = await installation.now();
  const requests = verificationRequests(log, name).at(-1);
  if (requests === undefined || registrant.confirmedAt !== undefined)
    return isHeld ? `${name} is on hold, and its registrant has confirmed the address` : undefined;
  const leftMs = Date.parse(requests.payload.verify_by) - now;
  if (leftMs > soonMs)
    return isHeld ? `${name} is on hold, and its registrant has time until ${requests.payload.verify_by}` : undefined;
  return isHeld ? undefined : `${name} is not on hold, and its registrant had time until ${requests.payload.verify_by}`;
}

/** Confirmation was requested exactly where required, with 15 days. */
export function verificationViolations({ ledger }: Pick<Play, 'ledger'>, log: Log, name: string): string[] {
  const orders = ledger.orders.filter((order) => order.name === name);
  const requests = verificationRequests(log, name);
  const complaints = requests
    .filter(
      ({ writtenAt, payload }) => Math.abs(Date.parse(payload.verify_by) - writtenAt - daysToConfirm * dayMs) > slackMs,
    )
    .map(({ payload }) => `${name}: the registrant has until ${payload.verify_by}, which is not ${daysToConfirm} days`);
  if (!isPlain({ ledger }, orders)) return complaints;
  const registrant = ledger.registrants.get(name);
  if (requests.length > 0 && (registrant === undefined || !isGeneric(name)))
    complaints.push(`${name}: confirmation was requested for an address that was confirmed, or needs none`);
  for (const { verb, state, placedAt } of orders) {
    if ((verb !== 'register' && verb !== 'transfer') || state !== 'done' || registrant === undefined) continue;
    const isDue = isGeneric(name) && registrant.confirmedAt === undefined;
    if (isDue && !requests.some(({ at }) => at >= placedAt - slackMs - ledger.skewMs))
      complaints.push(`${name}: no confirmation was requested from the registrant of a new domain`);
  }
  return complaints;
}
