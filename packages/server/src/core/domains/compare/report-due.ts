import { clearAlarm, raiseAlarm } from '../../alarms/alarm.ts';
import type { AppContext } from '../../app-context.ts';
import type { Domain, DomainState } from '../../model/domain.ts';

const alarmKey = ({ id }: Pick<Domain, 'id'>): string => `restore-report:${id}`;

/** The registry waits for a restore report, and no operation of ours requested the restore: it was requested by other means. */
export async function alarmReportDue(ctx: AppContext, domain: Domain, state: DomainState, dueAt: Date): Promise<void> {
  if (state !== 'pending_restore') return;
  await raiseAlarm(ctx, {
    key: alarmKey(domain),
    severity: 'critical',
    sentence: `${domain.name} is being restored at registry ${domain.registry_id} and no order here is about it: its report is due by ${dueAt.toISOString()}, send it by the means that requested the restore`,
    facts: { domain_id: domain.id, registry_id: domain.registry_id, report_due_at: dueAt },
  });
}

export async function clearReportDue(ctx: AppContext, before: Domain, state: DomainState): Promise<void> {
  if (before.state === 'pending_restore' && state !== 'pending_restore') await clearAlarm(ctx, alarmKey(before));
}
