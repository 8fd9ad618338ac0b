import { dayMs, everyTenant, money, type Tx } from '@namehold/base';
import { clearAlarm, openAlarms } from '../../alarms/alarm.ts';
import { audit } from '../../audit/audit.ts';
import { appendEvent } from '../../events/append.ts';
import type { House } from '../../house.ts';
import { inTurns } from '../../jobs/turns.ts';
import { refund } from '../../ledger/refund.ts';
import { lockDomain, readDomain } from '../domain.sql.ts';
import type { Domain } from '../domain.ts';
import { lifeEvent } from '../life-event.ts';
import type { GivenBack } from '../registry/registry.ts';
import { clockworkFor } from '../system-actor.ts';
import { refundsAsTold } from './as-told.ts';
import { type GraceRefund, type Refunds, shownRefund } from './grace-refunds.ts';
import { noteLateRefund } from './refunds.sql.ts';
import { tellFormer } from './tell-former.ts';
import { unrefundedKey } from './tell-unrefunded.ts';

const lateLimits = {
  perRun: 100,
  /** What has not come back by then is a matter between people. */
  days: 60,
};

interface Waiting {
  /** Of the operation that deleted the name. */
  readonly id: string;
  readonly domainId: string;
  readonly deletion: { readonly knownAt: Date; readonly isGone: boolean };
}

/** A platform may give back later than it deletes: the deletes for which nothing came back yet are asked about again. */
export async function giveBackLate(house: House): Promise<void> {
  const since = house.wall.now().getTime() - lateLimits.days * dayMs;
  const open = (await openAlarms(house)).filter(({ raised_at: at }) => at.getTime() >= since);
  const waiting = open.flatMap(({ key, facts }): Waiting[] => {
    const { operation_id: id, domain_id: domainId, known_at: at, is_gone: isGone } = facts as Record<string, string>;
    if (!id || key !== unrefundedKey(id) || !domainId || !at) return [];
    return [{ id, domainId, deletion: { knownAt: new Date(at), isGone: Boolean(isGone) } }];
  });
  await inTurns(house, 1, waiting.slice(0, lateLimits.perRun), (each) => lookFor(house, each));
}

async function lookFor(house: House, waiting: Waiting): Promise<void> {
  const domain = await readDomain(house.db.as(everyTenant), waiting.domainId);
  if (!house.registries.isReachable(domain.registry_id)) return;
  const told = await (await house.registries.of(domain.registry_id)).givenBack?.(domain.name);
  if (told?.kind !== 'done') return;
  const after = await house.db.transaction(everyTenant, (tx) => giveBack(house, tx, { ...waiting, domain }, told.data));
  if (after.due.length > 0 && after.doubtful.length + (after.kept?.length ?? 0) === 0)
    await clearAlarm(house, unrefundedKey(waiting.id));
}

async function giveBack(
  house: House,
  tx: Tx,
  { id, domain, deletion }: Waiting & { readonly domain: Domain },
  told: GivenBack,
): Promise<Refunds> {
  // Under the lock: what another process has given back meanwhile is booked by now.
  await lockDomain(tx, domain.reseller_id, domain.id);
  const refunds = await refundsAsTold(tx, domain, told, deletion);
  for (const each of refunds.due) await payBack(house, tx, domain, id, each);
  return refunds;
}

async function payBack(house: House, tx: Tx, domain: Domain, operationId: string, due: GraceRefund): Promise<void> {
  const { transaction_id } = due;
  const total = money(BigInt(due.total), due.currency);
  const refunded = shownRefund(await refund(house, tx, { transactionId: transaction_id, total }));
  if (!refunded) return;
  if (due.reseller_id !== domain.reseller_id) return tellFormer(house, tx, transaction_id, refunded);
  await noteLateRefund(tx, operationId, { transaction_id, ...refunded });
  await audit(house, tx, clockworkFor(domain, 'late-refunds'), {
    action: 'domain.purchase_refunded',
    objectType: 'domain',
    objectId: domain.id,
    after: { transaction_id, refunded },
  });
  await appendEvent(house, tx, lifeEvent(domain, 'domain.purchase_refunded', { transaction_id, refunded }));
}
