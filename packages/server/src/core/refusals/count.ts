import { allTenants } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import {
  addRefusals,
  clearedRefusals,
  purgeRefusals,
  type RefusalCount,
  type RefusalKind,
  refusalsSince,
} from './refusal.sql.ts';

export const refusalLimits = {
  windowMs: 300_000,
  /** Per window; a higher number indicates guessing, probing or a faulty program. */
  alarmAt: { login: 100, scope: 100, throttle: 1_000 } satisfies Record<RefusalKind, number>,
  keptMs: 86_400_000,
};

const sentences: Record<RefusalKind, string> = {
  login: 'wrong API keys were used for this account',
  scope: 'calls were refused because the key lacks the scope',
  throttle: 'calls were refused because a rate limit was reached',
};

const advice: Record<RefusalKind, string> = {
  login: 'Find out whether a program has an old key, or an attacker guesses keys',
  scope: 'Check the program that uses the key, or give the key the scope',
  throttle: 'Check the program that sends the calls',
};

export async function countRefusals(ctx: AppContext, counts: readonly RefusalCount[]): Promise<void> {
  const minute = new Date(Math.floor(ctx.wall.now().getTime() / 60_000) * 60_000);
  await ctx.db.transaction(allTenants, (tx) => addRefusals(tx, minute, counts));
}

/** Raises an alarm for each reseller and kind above its rate, and clears those that are below again. */
export async function watchRefusals(ctx: AppContext): Promise<void> {
  const now = ctx.wall.now();
  const db = ctx.db.as(allTenants);
  const counts = await refusalsSince(db, new Date(now.getTime() - refusalLimits.windowMs));
  const loud = counts.filter(({ kind, count }) => count > refusalLimits.alarmAt[kind]);
  for (const { resellerId, kind, count } of loud) {
    await raiseAlarm(ctx, {
      key: `refusals:${resellerId}:${kind}`,
      severity: 'warning',
      sentence: `reseller ${resellerId}: ${sentences[kind]}, ${count} times in five minutes. ${advice[kind]}`,
      facts: { reseller_id: resellerId, kind, count },
    });
  }
  for (const { key } of await clearedRefusals(
    db,
    loud.map(({ resellerId, kind }) => `refusals:${resellerId}:${kind}`),
  ))
    await clearAlarm(ctx, key);
  await ctx.db.transaction(allTenants, (tx) => purgeRefusals(tx, new Date(now.getTime() - refusalLimits.keptMs)));
}
