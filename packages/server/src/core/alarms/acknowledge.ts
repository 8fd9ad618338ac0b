import { dayMs } from '@namehold/base';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { type Acknowledged, type AnyAlarm, lockOpenAlarm, setAcknowledged } from './alarm.sql.ts';

export const acknowledgeLimits = { days: 30 };

/** True also if it was not acknowledged. */
export const restIsOver = ({ acknowledged_until }: Acknowledged, now: Date): boolean =>
  acknowledged_until === null || acknowledged_until <= now;

interface Noted {
  readonly alarm: AnyAlarm;
  readonly now: Date;
}

const nameOf = ({ user, keyId }: Actor): string => user?.name ?? keyId ?? 'the operator';

/** An operator acknowledges the alarm until then; it returns earlier if it changes. */
export async function acknowledgeAlarm(
  ctx: AppContext,
  actor: Actor,
  { key, reason, until }: { readonly key: string; readonly reason: string; readonly until: Date },
): Promise<Noted> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  const now = ctx.wall.now();
  if (until <= now) throw badField('until', 'Must be in the future.');
  if (until.getTime() - now.getTime() > acknowledgeLimits.days * dayMs)
    throw badField('until', `Must be at most ${acknowledgeLimits.days} days ahead.`);
  return note(ctx, actor, key, { at: now, who: nameOf(actor), why: reason, until });
}

export async function withdrawAcknowledgement(ctx: AppContext, actor: Actor, key: string): Promise<Noted> {
  if (!actor.isOperator) throw new Refusal('operator_only');
  return note(ctx, actor, key, null);
}

function note(ctx: AppContext, actor: Actor, key: string, by: Parameters<typeof setAcknowledged>[2]): Promise<Noted> {
  return writeAsService(ctx, actor, async (tx) => {
    const before = await lockOpenAlarm(tx, key);
    if (!before) throw notFound('alarm');
    const alarm = await setAcknowledged(tx, key, by);
    await audit(ctx, tx, actor, {
      action: by ? 'alarm.acknowledge' : 'alarm.acknowledgement_withdraw',
      objectType: 'alarm',
      objectId: key,
      before: before.acknowledged_at && { reason: before.acknowledged_why, until: before.acknowledged_until },
      after: by && { reason: by.why, until: by.until },
    });
    return { alarm, now: ctx.wall.now() };
  });
}
