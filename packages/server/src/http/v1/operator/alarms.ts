import { z } from 'zod';
import { lookAtAlarms } from '../../../core/operator/look.ts';
import { word } from '../../field.ts';
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
  })
  .meta({ id: 'Alarm', description: 'What a person must look at.' });

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
    state: word(['open', 'cleared', 'all'], 'Default: open.').optional(),
  }),
  output: z.array(alarmView),
  errors: ['invalid_argument', 'operator_only'],
  example: {
    input: { limit: 10 },
    output: [
      {
        key: 'registry:sandbox:balance',
        severity: 'critical',
        sentence: 'the account at registry sandbox is low: 90.00 USD left, its threshold is 100.00',
        facts: { registry_id: 'sandbox' },
        raised_at: '2026-11-15T09:00:00Z',
        seen_at: '2026-11-15T09:00:00Z',
        told_at: null,
        cleared_at: null,
      },
    ],
  },
  async answer(house, caller, input) {
    const { rows, total } = await lookAtAlarms(house, caller, input.state ?? 'open', pageOf(input));
    const shown = rows.map((alarm) => ({
      ...alarm,
      raised_at: instantText(alarm.raised_at),
      seen_at: instantText(alarm.seen_at),
      told_at: instantOrNull(alarm.told_at),
      cleared_at: instantOrNull(alarm.cleared_at),
    }));
    return listAnswer(shown, total);
  },
});
