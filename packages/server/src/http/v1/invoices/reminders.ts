import { z } from 'zod';
import { readReminderDays, reminderLimits, setReminderDays } from '../../../core/invoices/remind.ts';
import { FieldRefusal, field } from '../../field.ts';
import { route } from '../../route.ts';

const view = z
  .object({ days: z.array(z.int()).describe('Days after the due date; none: nobody is reminded.') })
  .meta({ id: 'InvoiceReminders', description: 'When customers are reminded of unpaid invoices.' });
const show = (days: readonly number[]): z.output<typeof view> => ({ days: [...days] });
const example = { days: [7, 14, 28] };

export const readRemindersRoute = route({
  method: 'GET',
  path: '/invoices/reminders',
  area: 'billing',
  style: 'own',
  summary: 'Read when customers are reminded of invoices',
  description:
    'Days after the due date on which a customer is written to, each once, until the invoice is paid or credited.',
  input: z.object({}),
  output: view,
  errors: [],
  example: { output: example },
  answer: async (ctx, caller) => show(await readReminderDays(ctx, caller)),
});

export const setRemindersRoute = route({
  method: 'PUT',
  path: '/invoices/reminders',
  area: 'billing',
  style: 'own',
  summary: 'Set when customers are reminded of invoices',
  description: 'Days after the due date; an empty list ends it. Those that are overdue already are reminded of once.',
  input: z.object({
    days: field(
      {
        type: 'array',
        items: { type: 'integer', minimum: 1, maximum: reminderLimits.dayMax },
        maxItems: reminderLimits.days,
        description: 'Days after the due date, from 1 to 365.',
      },
      (value) => {
        if (!Array.isArray(value) || value.some((day) => typeof day !== 'number'))
          throw new FieldRefusal('Must be a list of days such as [7, 14].');
        return value as number[];
      },
    ),
  }),
  output: view,
  errors: ['invalid_argument'],
  example: { input: example, output: example },
  render: show,
  answer: async (ctx, caller, input) => show(await setReminderDays(ctx, caller, input.days)),
});
