import { z } from 'zod';
import {
  acknowledgeAlarm,
  acknowledgeLimits,
  restIsOver,
  withdrawAcknowledgement,
} from '../../../core/alarms/acknowledge.ts';
import type { AnyAlarm } from '../../../core/alarms/alarm.sql.ts';
import { alarmStates } from '../../../core/operator/overview.sql.ts';
import { readAlarms } from '../../../core/operator/overview.ts';
import { formerField } from '../../aliases.ts';
import { instant, oneOf, text } from '../../field.ts';
import { listAnswer, pageOf, paging } from '../../page.ts';
import { route } from '../../route.ts';
import { instantOrNull, instantText } from '../../wire.ts';

const alarmView = z
  .object({
    key: z.string(),
    severity: z.enum(['warning', 'critical']),
    sentence: z.string(),
    facts: z.record(z.string(), z.unknown()),
    raised_at: z.string(),
    seen_at: z.string().describe('When the problem was last seen.'),
    notified_at: z.string().nullable().describe('When NAMEHOLD_ALARM_COMMAND was run for it.'),
    told_at: formerField(z.string().nullable(), 'notified_at'),
    cleared_at: z.string().nullable(),
    acknowledged: z
      .object({
        at: z.string(),
        by: z.string(),
        reason: z.string(),
        until: z.string().describe('When the acknowledgement ends.'),
      })
      .nullable()
      .describe('The acknowledgement. Null: not acknowledged, expired, or the alarm has changed since.'),
  })
  .meta({ id: 'Alarm', description: 'A problem that the operator must look at.' });

function show(alarm: AnyAlarm, now: Date): z.output<typeof alarmView> {
  const { key, severity, sentence, facts } = alarm;
  const by = alarm.acknowledged_by;
  return {
    key,
    severity: severity === 'critical' ? 'critical' : 'warning',
    sentence,
    facts,
    raised_at: instantText(alarm.raised_at),
    seen_at: instantText(alarm.seen_at),
    notified_at: instantOrNull(alarm.told_at),
    told_at: instantOrNull(alarm.told_at),
    cleared_at: instantOrNull(alarm.cleared_at),
    acknowledged:
      by === null || restIsOver(alarm, now)
        ? null
        : {
            at: instantText(alarm.acknowledged_at!),
            by,
            reason: alarm.acknowledged_why!,
            until: instantText(alarm.acknowledged_until!),
          },
  };
}

const alarmExample: z.output<typeof alarmView> = {
  key: 'registry:sandbox:balance',
  severity: 'critical',
  sentence: 'the balance at registry sandbox is low: 90.00 USD left, its threshold is 100.00',
  facts: { registry_id: 'sandbox' },
  raised_at: '2026-11-15T09:00:00Z',
  seen_at: '2026-11-15T09:00:00Z',
  notified_at: null,
  told_at: null,
  cleared_at: null,
  acknowledged: null,
};

export const listAlarmsRoute = route({
  method: 'GET',
  path: '/operator/alarms',
  area: 'account',
  style: 'own',
  isList: true,
  summary: 'List alarms',
  description:
    'Problems for the operator, newest first. An alarm is cleared when its problem is gone. Only for the operator.',
  input: z.object({
    ...paging,
    state: oneOf(alarmStates, 'Default: open. Acknowledged ones are included, at the end.').optional(),
  }),
  output: z.array(alarmView),
  errors: ['invalid_argument', 'operator_only'],
  example: {
    input: { limit: 10 },
    output: [alarmExample],
  },
  async answer(ctx, caller, input) {
    const { rows, total } = await readAlarms(ctx, caller, input.state ?? 'open', pageOf(input));
    const now = ctx.wall.now();
    return listAnswer(
      rows.map((alarm) => show(alarm, now)),
      total,
    );
  },
});

const alarmKey = text({ max: 400, about: 'Key of the alarm.', example: alarmExample.key });
const first = 'requires an alarm of `GET /operator/alarms`; enter its key';

export const acknowledgeAlarmRoute = route({
  method: 'PUT',
  path: '/operator/alarms/acknowledgement',
  area: 'account',
  style: 'own',
  summary: 'Acknowledge an alarm',
  description: `Records that the alarm is known, why it can wait, and until when (at most ${acknowledgeLimits.days} days). The alarm becomes active and is notified again in these cases: the time is over; the alarm is raised again; its severity or text changes. Changed numbers in the text do not count. Only for the operator; written to the audit log.`,
  input: z.object({
    key: alarmKey,
    reason: text({ max: 500, about: 'Why it can wait.', example: 'the bank is closed until Monday' }),
    until: instant('When the acknowledgement ends.'),
  }),
  output: alarmView,
  errors: ['invalid_argument', 'operator_only', 'not_found'],
  example: {
    input: { key: alarmExample.key, reason: 'the bank is closed until Monday', until: '2026-11-17T09:00:00Z' },
    first,
    output: {
      ...alarmExample,
      acknowledged: {
        at: '2026-11-15T09:30:00Z',
        by: 'Sari',
        reason: 'the bank is closed until Monday',
        until: '2026-11-17T09:00:00Z',
      },
    },
  },
  render: ({ alarm, now }: { alarm: AnyAlarm; now: Date }) => show(alarm, now),
  async answer(ctx, caller, input) {
    const { alarm, now } = await acknowledgeAlarm(ctx, caller, input);
    return show(alarm, now);
  },
});

export const withdrawAcknowledgementRoute = route({
  method: 'DELETE',
  path: '/operator/alarms/acknowledgement',
  area: 'account',
  style: 'own',
  summary: 'Withdraw the acknowledgement of an alarm',
  description: 'The alarm is active again. Only for the operator; written to the audit log.',
  input: z.object({ key: alarmKey }),
  output: alarmView,
  errors: ['invalid_argument', 'operator_only', 'not_found'],
  example: { input: { key: alarmExample.key }, first, output: alarmExample },
  render: ({ alarm, now }: { alarm: AnyAlarm; now: Date }) => show(alarm, now),
  async answer(ctx, caller, input) {
    const { alarm, now } = await withdrawAcknowledgement(ctx, caller, input.key);
    return show(alarm, now);
  },
});
