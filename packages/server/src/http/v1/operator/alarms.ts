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
import { instant, text, word } from '../../field.ts';
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
    seen_at: z.string().describe('When the trouble was last seen.'),
    told_at: z.string().nullable().describe('When NAMEHOLD_ALARM_COMMAND was run for it.'),
    cleared_at: z.string().nullable(),
    acknowledged: z
      .object({
        at: z.string(),
        by: z.string(),
        reason: z.string(),
        until: z.string().describe('When it comes back by itself.'),
      })
      .nullable()
      .describe('Somebody has taken note of it; null: nobody, or the time is over, or the alarm has changed since.'),
  })
  .meta({ id: 'Alarm', description: 'What a person must look at.' });

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
  sentence: 'the account at registry sandbox is low: 90.00 USD left, its threshold is 100.00',
  facts: { registry_id: 'sandbox' },
  raised_at: '2026-11-15T09:00:00Z',
  seen_at: '2026-11-15T09:00:00Z',
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
    'What an operator must know of, newest first. An alarm is cleared when its trouble is gone. Only for the operator.',
  input: z.object({
    ...paging,
    state: word(alarmStates, 'Default: open, acknowledged ones among them and last.').optional(),
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
const first = '`GET /operator/alarms` must show an alarm, whose key is put in';

export const acknowledgeAlarmRoute = route({
  method: 'PUT',
  path: '/operator/alarms/acknowledgement',
  area: 'account',
  style: 'own',
  summary: 'Take note of an alarm',
  description: `Says that somebody knows, and why it may rest until then (${acknowledgeLimits.days} days at most). The alarm comes back, and is told once more, when the time is over, when it is raised anew, or when its severity or its words change; figures in them may change. Only for the operator; written to the audit log.`,
  input: z.object({
    key: alarmKey,
    reason: text({ max: 500, about: 'Why it may rest.', example: 'the bank is closed until Monday' }),
    until: instant('When it comes back.'),
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
  summary: 'Take back that an alarm may rest',
  description: 'The alarm stands as if nobody had taken note of it. Only for the operator; written to the audit log.',
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
