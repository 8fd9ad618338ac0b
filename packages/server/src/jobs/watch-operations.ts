import { dayMs } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { clearAlarm, type NewAlarm, raiseAlarm } from '../core/alarms/alarm.ts';
import type { AppContext } from '../core/app-context.ts';
import { clearAdoptedOrphans } from '../core/domains/compare/orphan.ts';
import { comparisonRate } from '../core/domains/compare/reconcile.sql.ts';
import { alarmAttention } from '../core/operations/attention.ts';
import {
  oldestUnsettled,
  operationsForAttention,
  type RegistryStatus,
  readOperationStatus,
  readRegistryStatus,
} from '../core/operations/watch.sql.ts';

const watchLimits = {
  unsettledMs: 3_600_000,
  unknownMs: 600_000,
  queueAgeMs: 300_000,
  certificateDays: 30,
  passwordDays: 14,
  attentionNamed: 100,
  watchedSeconds: 900,
};

/** Raises alarms about operations, registries and certificates, and clears them when the cause is gone. */
export async function watchOperations(ctx: AppContext): Promise<void> {
  const db = ctx.db.as(allTenants);
  const now = ctx.wall.now();
  const status = await readOperationStatus(db, now);
  const unsettled = await oldestUnsettled(db);
  await keep(ctx, unsettled !== undefined && now.getTime() - unsettled.since.getTime() > watchLimits.unsettledMs, {
    key: 'operations:unsettled',
    severity: 'critical',
    sentence: `operation ${unsettled?.id} has not been settled for more than an hour; its money is still on hold`,
    facts: { operation_id: unsettled?.id },
  });
  await keep(ctx, status.oldest_unknown_seconds * 1_000 > watchLimits.unknownMs, {
    key: 'operations:unknown',
    severity: 'critical',
    sentence: 'the outcome of an operation has been unknown for more than ten minutes: its registry does not respond',
  });
  await keep(ctx, status.queue_age_seconds * 1_000 > watchLimits.queueAgeMs, {
    key: 'operations:queue',
    severity: 'warning',
    sentence: 'operations have been waiting for more than five minutes: check that a service process is running',
  });
  const rate = await comparisonRate(db, ctx.clock.now());
  await keep(ctx, rate.watched_seconds > watchLimits.watchedSeconds, {
    key: 'comparison:watched',
    severity: 'critical',
    sentence: 'a watched domain has not been compared with its registry for more than 15 minutes',
  });
  for (const operation of await operationsForAttention(db, watchLimits.attentionNamed)) {
    await alarmAttention(ctx, operation);
  }
  await clearAdoptedOrphans(ctx);
  for (const registry of await readRegistryStatus(db, now)) await watchRegistry(ctx, registry, now);
}

async function watchRegistry(ctx: AppContext, registry: RegistryStatus, now: Date): Promise<void> {
  const ends = (at: Date | null, days: number) => at !== null && at.getTime() - now.getTime() < days * dayMs;
  await keep(ctx, ends(registry.certificate_expires_at, watchLimits.certificateDays), {
    key: `registry:${registry.id}:certificate`,
    severity: 'critical',
    sentence: `our certificate for registry ${registry.id} expires on ${registry.certificate_expires_at?.toISOString()}: run namehold registry add with a new one`,
  });
  await keep(ctx, ends(registry.password_expires_at, watchLimits.passwordDays), {
    key: `registry:${registry.id}:password`,
    severity: 'critical',
    sentence: `our password at registry ${registry.id} expires on ${registry.password_expires_at?.toISOString()}`,
  });
  // Raised when the registry reports it. Cleared when no order waits for money and the registry has not reported it for a day.
  if (!registry.waits_for_money) await clearAlarm(ctx, `registry:${registry.id}:balance`);
}

function keep(ctx: AppContext, isFailing: boolean, alarm: NewAlarm): Promise<void> {
  return isFailing ? raiseAlarm(ctx, alarm) : clearAlarm(ctx, alarm.key);
}
