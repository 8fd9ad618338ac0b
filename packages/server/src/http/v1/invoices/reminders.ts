import { z } from 'zod';
import { readReminderDays, reminderLimits, setReminderDays } from '../../../core/invoices/remind.ts';
import { FieldRefusal, field } from '../../field.ts';
import { route } from '../../route.ts';

const view = z
  .object({ days: z.array(z.int()).describe('Days after the due date. Empty: no reminders.') })
  .meta({ id: 'InvoiceReminders', description: 'When customers are reminded of unpaid invoices.' });
const show = (days: readonly number[]): z.output<typeof view> => ({ days: [...days] });
const example = { days: [7, 14, 28] };

export const readRemindersRoute = route({
  method: 'GET',
  path: '/invoices/reminders',
  area: 'billing',
  style: 'own',
  summary: 'Read the invoice reminders',
  description:
    'Days after the due date on which a customer gets a mail, each once, until the invoice is paid or credited.',
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
  summary: 'Set the invoice reminders',
  description:
    'Days after the due date. An empty list ends reminders. Invoices that are already overdue get one reminder.',
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
