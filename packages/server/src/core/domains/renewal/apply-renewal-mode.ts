import { dayMs } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { schedulerFor } from '../../actors.ts';
import type { AppContext } from '../../app-context.ts';
import { Refusal, type RefusalCode } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { lifeEvent } from '../../events/life-event.ts';
import type { With } from '../../model/domain.ts';
import { notifyOwner } from '../../notices/notify-recipients.ts';
import { findOperation } from '../../operations/operation.sql.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { orderPurchase } from '../buy/order-purchase.ts';
import { renew } from '../buy/renew.ts';
import { deleteUnwanted } from '../end/delete-unwanted.ts';
import { markExpiry } from '../end/expiry.sql.ts';
import { refusalOf } from '../registry/refuse.ts';
import { automaticOrder } from './automatic-order.ts';
import { claimTry, setNextTry } from './renewal.sql.ts';

const tryPolicy = {
  /** Delay before the next attempt after a refusal. */
  againMs: dayMs,
  /** Delay if the attempt was refused only because of its time. */
  soonMs: 3_600_000,
};
const temporaryRefusals: readonly RefusalCode[] = ['operation_in_progress', 'registry_unavailable', 'unavailable'];

/** Applies the renewal mode of one domain (auto-renew, or let expire), if it is due and no other process does it. */
export async function applyRenewalMode(ctx: AppContext, domain: With<'end_date'>): Promise<void> {
  const now = ctx.clock.now();
  const nextAt = new Date(now.getTime() + tryPolicy.againMs);
  const isMine = await ctx.db.transaction(allTenants, (tx) => claimTry(tx, domain, now, nextAt));
  if (!isMine) return;
  if (domain.renewal_mode === 'delete') await deleteUnwanted(ctx, domain);
  else await placeAutoRenewOrder(ctx, domain, nextAt);
}

/** A normal renewal on behalf of the reseller. A refusal is reported, and the renewal is tried again. */
async function placeAutoRenewOrder(ctx: AppContext, domain: With<'end_date'>, nextAt: Date): Promise<void> {
  const rules = await rulesOf(ctx.db.as(allTenants), domain);
  const order = automaticOrder(domain, rules, domain.renewal_max_price);
  try {
    const id = await orderPurchase(ctx, schedulerFor(domain, 'auto-renew'), renew, order);
    await ctx.engine.start(id);
    const after = await findOperation(ctx.db.as(allTenants), domain.reseller_id, id);
    if (after?.state === 'refused') throw refusalOf(after);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // It has been renewed since it was read, so nothing is to be done.
    if (error.code === 'already_renewed') return;
    await reportFailure(ctx, domain, error, nextAt);
  }
}

async function reportFailure(ctx: AppContext, domain: With<'end_date'>, error: Refusal, nextAt: Date): Promise<void> {
  const soon = new Date(ctx.clock.now().getTime() + tryPolicy.soonMs);
  const isTemporary = temporaryRefusals.includes(error.code);
  await ctx.db.transaction(allTenants, async (tx) => {
    if (isTemporary) return setNextTry(tx, domain.id, soon);
    const { missing } = error.details.facts ?? {};
    // Tried each day, but mailed once per term.
    if (await markExpiry(tx, domain, 'renewal-failed', ctx.clock.now()))
      await notifyOwner(ctx, tx, domain.reseller_id, {
        kind: 'renewal_failed',
        facts: { domain: domain.name, reason: error.message, expires_on: domain.end_date },
        domainId: domain.id,
      });
    await appendEvent(
      ctx,
      tx,
      lifeEvent(domain, 'domain.auto_renewal_failed', {
        code: error.code,
        reason: error.message,
        ...(isMoney(missing) ? { missing } : {}),
        expires_at: domain.end_date,
        next_try_at: nextAt,
      }),
    );
  });
}

const isMoney = (value: unknown): value is { readonly amount: string; readonly currency: string } =>
  typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value;
